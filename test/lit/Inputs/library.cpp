int library_variable;
extern "C" void library_write(int value) { library_variable = value; }

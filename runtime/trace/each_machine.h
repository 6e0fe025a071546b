// PREDRACE_EACH_MACHINE before a function: it is compiled for several generations of
// processors, and the best one is chosen when the program is loaded. For loops over bytes, where
// that saves a third of the time.
#ifndef PREDRACE_TRACE_EACH_MACHINE_H
#define PREDRACE_TRACE_EACH_MACHINE_H

#if defined(__x86_64__)
#define PREDRACE_EACH_MACHINE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PREDRACE_EACH_MACHINE
#endif

#endif  // PREDRACE_TRACE_EACH_MACHINE_H

// Installation: where PredRace's own files and its clang are.
//
// The tree has the same shape in build/ and under an install prefix, and is found relative to this program:
//   bin/predrace-clang   lib/predrace/{PredRacePass.so,libpredrace_rt.a}   share/predrace/*.cfg
#ifndef PREDRACE_TOOLS_DRIVER_INSTALLATION_H
#define PREDRACE_TOOLS_DRIVER_INSTALLATION_H

#include <string>

namespace predrace {

struct Installation {
  std::string compileConfig;  // options to compile, and to link shared libraries
  std::string linkConfig;     // the same, and options to link executables
  std::string plugin;
  std::string runtime;
};

// Finds the files' names; whether they exist is another question.
Installation findInstallation();

// The clang to run: the one PredRace was built for, or PREDRACE_CLANG, which the environment then loses.
std::string findClang();

// Why that clang cannot compile for PredRace, in one line, or "". A pass plugin in a clang of another major
// version crashes instead of saying so. The pinned one needs no look: it is the one we were built against.
std::string checkClang(const std::string& clang);

}  // namespace predrace

#endif  // PREDRACE_TOOLS_DRIVER_INSTALLATION_H

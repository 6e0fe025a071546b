# The one LLVM that PredRace is built with, built against, and pins in its driver.
set(PREDRACE_LLVM_MAJOR 19)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^${PREDRACE_LLVM_MAJOR}\\.")
  message(FATAL_ERROR "PredRace is built with clang ${PREDRACE_LLVM_MAJOR} (its runtime needs clang's calling conventions): use a preset, or -DCMAKE_C_COMPILER=clang-${PREDRACE_LLVM_MAJOR} -DCMAKE_CXX_COMPILER=clang++-${PREDRACE_LLVM_MAJOR}")
endif()
# LLVM accepts only an exact major.minor from find_package, so the major is checked by hand.
find_package(LLVM REQUIRED CONFIG PATHS /usr/lib/llvm-${PREDRACE_LLVM_MAJOR} NO_DEFAULT_PATH)
if(NOT LLVM_VERSION_MAJOR EQUAL PREDRACE_LLVM_MAJOR)
  message(FATAL_ERROR "PredRace needs LLVM ${PREDRACE_LLVM_MAJOR}, found ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
endif()
find_package(Threads REQUIRED)
find_package(absl REQUIRED)

# predrace_hot(TARGET...): what runs once per event of the user's program. Link-time
# optimisation, because an event passes through half a dozen source files.
function(predrace_hot)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
    set_target_properties(${target} PROPERTIES
      INTERPROCEDURAL_OPTIMIZATION_RELEASE ON INTERPROCEDURAL_OPTIMIZATION_RELWITHDEBINFO ON)
  endforeach()
endfunction()
add_link_options(-fuse-ld=lld)  # reads the objects of any target, optimised so or not

# `cmake --build build --target format` formats our sources; the test `format` demands that nothing is left to do.
#
# Run as a script (cmake -D MODE=... -P) it does either; the list of files is made then, so that a new file needs
# no configure. Tables (.inc) are aligned by hand and left out.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  find_program(PREDRACE_CLANG_FORMAT NAMES clang-format-${PREDRACE_LLVM_MAJOR} DOC "Formats our sources")
  if(PREDRACE_CLANG_FORMAT)
    set(PREDRACE_FORMAT_COMMAND ${CMAKE_COMMAND} -D CLANG_FORMAT=${PREDRACE_CLANG_FORMAT}
      -D SOURCE_DIR=${PROJECT_SOURCE_DIR})
    set(PREDRACE_FORMAT_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
    add_custom_target(format COMMAND ${PREDRACE_FORMAT_COMMAND} -D MODE=fix -P ${PREDRACE_FORMAT_SCRIPT}
      COMMENT "Formatting" VERBATIM)
  endif()
  return()
endif()

foreach(directory include llvm-pass runtime tools test)
  file(GLOB_RECURSE found ${SOURCE_DIR}/${directory}/*.h ${SOURCE_DIR}/${directory}/*.c
    ${SOURCE_DIR}/${directory}/*.cc ${SOURCE_DIR}/${directory}/*.cpp)
  list(APPEND sources ${found})
endforeach()
list(LENGTH sources count)
if(MODE STREQUAL fix)
  set(how -i)
else()
  set(how --dry-run --Werror)
endif()
execute_process(COMMAND ${CLANG_FORMAT} ${how} ${sources} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "not formatted as .clang-format says: run `cmake --build build --target format`")
endif()
message(STATUS "${count} files are formatted")

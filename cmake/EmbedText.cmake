# ew_embed_text(TARGET FILE...): compiles text files into TARGET.
#
# `reduce.cl` becomes `reduce_cl.h` and `reduce_cl.c`, found by `#include "reduce_cl.h"`:
#   extern const char reduce_cl[];          -- the text, ending in NUL
#   extern const size_t reduce_cl_size;     -- its length without the NUL
function(ew_embed_text target)
  set(script "${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake")
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/embedded")
  set(outputs)
  foreach(file IN LISTS ARGN)
    get_filename_component(path "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME)
    string(MAKE_C_IDENTIFIER "${name}" symbol)
    add_custom_command(
      OUTPUT "${dir}/${symbol}.c" "${dir}/${symbol}.h"
      COMMAND "${CMAKE_COMMAND}" "-DINPUT=${path}" "-DSYMBOL=${symbol}" "-DDIR=${dir}" -P "${script}"
      DEPENDS "${path}" "${script}"
      COMMENT "Embedding ${name}"
      VERBATIM)
    list(APPEND outputs "${dir}/${symbol}.c" "${dir}/${symbol}.h")
  endforeach()
  ew_attach_generated(${target} "${dir}" ${outputs})
endfunction()

# Custom commands belong to the directory that states them, so a target of a parent directory
# needs a helper target here to trigger them.
function(ew_attach_generated target include_dir)
  # clang-tidy refuses an empty list of checks; this one cannot apply to C.
  file(WRITE "${include_dir}/.clang-tidy" "Checks: '-*,misc-new-delete-overloads'\n")
  string(SHA256 tag "${ARGN}")
  string(SUBSTRING "${tag}" 0 12 tag)
  add_custom_target(${target}_generated_${tag} DEPENDS ${ARGN})
  add_dependencies(${target} ${target}_generated_${tag})
  target_sources(${target} PRIVATE ${ARGN})
  target_include_directories(${target} PRIVATE "${include_dir}")
endfunction()

# ew_flex_bison(TARGET LEXER.l PARSER.y): generates NAME.c and NAME.h in the build folder for
# each of the two (e.g. lexer.c lexer.h parser.c parser.h) and compiles them into TARGET.
find_package(FLEX 2.6 REQUIRED)
find_package(BISON 3.8 REQUIRED)

# Tools that were unpacked rather than installed have to be told where skeletons and m4 are.
set(EW_BISON "${BISON_EXECUTABLE}")
set(EW_FLEX "${FLEX_EXECUTABLE}")
if(EW_DEPS_PREFIX AND EXISTS "${EW_DEPS_PREFIX}/usr/share/bison")
  find_program(EW_M4 m4 REQUIRED)
  set(EW_BISON "${CMAKE_COMMAND}" -E env "BISON_PKGDATADIR=${EW_DEPS_PREFIX}/usr/share/bison"
      "M4=${EW_M4}" "${BISON_EXECUTABLE}")
  set(EW_FLEX "${CMAKE_COMMAND}" -E env "M4=${EW_M4}" "${FLEX_EXECUTABLE}")
endif()

function(ew_flex_bison target lexer parser)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/generated")
  file(MAKE_DIRECTORY "${dir}")
  get_filename_component(lexer_name "${lexer}" NAME_WE)
  get_filename_component(parser_name "${parser}" NAME_WE)
  get_filename_component(lexer_path "${lexer}" ABSOLUTE)
  get_filename_component(parser_path "${parser}" ABSOLUTE)
  set(lexer_out "${dir}/${lexer_name}.c" "${dir}/${lexer_name}.h")
  set(parser_out "${dir}/${parser_name}.c" "${dir}/${parser_name}.h")
  add_custom_command(
    OUTPUT ${parser_out}
    COMMAND ${EW_BISON} -Wall -Wcounterexamples -Werror
            "--header=${dir}/${parser_name}.h" -o "${dir}/${parser_name}.c" "${parser_path}"
    DEPENDS "${parser_path}" COMMENT "Bison ${parser}" VERBATIM)
  add_custom_command(
    OUTPUT ${lexer_out}
    COMMAND ${EW_FLEX} "--header-file=${dir}/${lexer_name}.h"
            -o "${dir}/${lexer_name}.c" "${lexer_path}"
    DEPENDS "${lexer_path}" COMMENT "Flex ${lexer}" VERBATIM)
  ew_attach_generated(${target} "${dir}" ${lexer_out} ${parser_out})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  # The skeletons' own code cannot satisfy these; the actions still get all other warnings.
  set_source_files_properties(${lexer_out} ${parser_out} TARGET_DIRECTORY ${target} PROPERTIES
    COMPILE_OPTIONS "-Wno-shadow;-Wno-missing-prototypes;-Wno-unused-function;-Wno-sign-compare;-Wno-unused-parameter;-Wno-unused-but-set-variable;-Wno-pedantic")
endfunction()

# Makes ${program_code}: the texts of the library of PRAM programs, in C.
get_filename_component(netpram_root ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
# The PRAM programs, in the order of netpram list: texts of src/machine/programs, or in C
# (src/machine/pram/program_NAME.c).
set(programs random-reads or maximum maximum-loglog prefix-sums hillis-steele list-ranking list-ranking-random
  colouring euler-tour expression components random-mate spanning-forest independent-set bfs all-pairs closure
  matrix-product matrix-cube strassen merge merge-sort sort bitonic quicksort radix-sort sample-sort histogram match
  fingerprints hull transform life)
# Files of procedures that programs import by name: texts of src/machine/programs/imports.
set(imports lists scan search)
file(GLOB_RECURSE program_texts CONFIGURE_DEPENDS ${netpram_root}/src/machine/programs/*.pram)
string(REPLACE ";" "," import_names "${imports}")
string(REPLACE ";" "," program_names "${programs}")
set(program_code ${CMAKE_BINARY_DIR}/program_texts.c)
add_custom_command(OUTPUT ${program_code} VERBATIM
  DEPENDS ${program_texts} ${netpram_root}/cmake/program_texts.cmake ${CMAKE_CURRENT_LIST_FILE}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${program_code} -DNAMES=${program_names} -DIMPORTS=${import_names}
    -DDIRECTORY=${netpram_root}/src/machine/programs -P ${netpram_root}/cmake/program_texts.cmake)

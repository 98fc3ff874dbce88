# Writes OUTPUT, C code with a descriptor for each of NAMES, the PRAM programs in the order of netpram list: of
# DIRECTORY/NAME.pram, with the text and what it declares; or, if there is no such text, of np_program_NAME, in C.
# And one for each of IMPORTS, DIRECTORY/imports/NAME.pram: files of procedures, which programs import by name.
# A text's first lines are read as they are written there: a declaration a line, from the first column on.
set(externs)
set(entries)
set(code)

# The words behind a keyword at the beginning of a line: "" if there are none.
function(declared out text keyword pattern)
  set(${out} "" PARENT_SCOPE)
  if("\n${text}" MATCHES "\n${keyword} +${pattern}")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

# The bytes of a file as the definition of an array of C.
function(text_array out symbol path)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  set(${out} "static const char ${symbol}[] = {${bytes}0};\n" PARENT_SCOPE)
endfunction()

function(rule_constant out rule)
  string(TOUPPER "${rule}" upper)
  string(REGEX REPLACE "^CRCW-" "" upper "${upper}")
  set(${out} "NP_RULE_${upper}" PARENT_SCOPE)
endfunction()

function(input_constant out kind)
  set(constant NP_INPUT_NONE)
  if(kind STREQUAL "graph")
    set(constant NP_INPUT_GRAPH)
  elseif(kind)
    set(constant NP_INPUT_NUMBERS)
  endif()
  set(${out} ${constant} PARENT_SCOPE)
endfunction()

string(REPLACE "," ";" names "${NAMES}")
foreach(name ${names})
  string(REPLACE "-" "_" symbol program_${name})
  set(path ${DIRECTORY}/${name}.pram)
  if(EXISTS ${path})
    file(READ ${path} text)
    declared(about "${text}" program "[A-Za-z0-9_-]+ +(\"[^\"\n]*\")")
    declared(source "${text}" source "(\"[^\"\n]*\")")
    declared(rule "${text}" rule "([a-z-]+)")
    declared(kind "${text}" input "[A-Za-z0-9_']+ *: *([a-z]+)")
    declared(edges "${text}" input "[A-Za-z0-9_']+ *: *(graph) *[\n#]")
    declared(steps "${text}" option "(steps) ")
    declared(preset "${text}" sizes "([0-9]+)")
    declared(most "${text}" sizes "[0-9]+ *[.][.] *([0-9]+)")
    declared(counts "${text}" sizes "[0-9. ]+(\"[^\"\n]*\")")
    foreach(field about source rule preset most counts)
      if("${${field}}" STREQUAL "")
        message(FATAL_ERROR
          "${path}: a program of the library says what it is, source, rule, and sizes 1 .. 2 \"items\"")
      endif()
    endforeach()
    rule_constant(constant ${rule})
    input_constant(input "${kind}")
    set(takes_edges false)
    if(edges)
      set(takes_edges true)
    endif()
    set(takes_steps false)
    if(steps)
      set(takes_steps true)
    endif()
    text_array(array text_${symbol} ${path})
    string(APPEND code "${array}"
      "static const np_program_ops ${symbol} = {\n"
      "    .info = {.entry = {\"${name}\", ${about}, ${source}, .rule = \"${rule}\"}, .size = ${counts},\n"
      "             .rule = ${constant}, .input = ${input}, .takes_edges = ${takes_edges},\n"
      "             .takes_steps = ${takes_steps},\n"
      "             .n = ${preset}, .n_max = ${most}},\n"
      "    .text = text_${symbol}, .length = sizeof text_${symbol} - 1};\n")
    string(APPEND entries "    &${symbol}.info.entry,\n")
  else()
    string(APPEND externs "extern const np_program_ops np_${symbol};\n")
    string(APPEND entries "    &np_${symbol}.info.entry,\n")
  endif()
endforeach()

set(imports)
string(REPLACE "," ";" names "${IMPORTS}")
foreach(name ${names})
  set(path ${DIRECTORY}/imports/${name}.pram)
  file(READ ${path} text)
  declared(about "${text}" program "[a-z]+ +(\"[^\"\n]*\")")
  declared(source "${text}" source "(\"[^\"\n]*\")")
  if(NOT about OR NOT source)
    message(FATAL_ERROR "${path}: a file of procedures says what they do, and their source")
  endif()
  text_array(array import_text_${name} ${path})
  string(APPEND code "${array}"
    "static const np_import_text import_${name} = {\n"
    "    .entry = {\"${name}\", ${about}, ${source}},\n"
    "    .text = import_text_${name}, .length = sizeof import_text_${name} - 1};\n")
  string(APPEND imports "    &import_${name}.entry,\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"machine/programs/text.h\"\n${externs}${code}"
  "const np_entry *const np_program_entries[] = {\n${entries}    NULL,\n};\n"
  "const np_entry *const np_import_entries[] = {\n${imports}    NULL,\n};\n")

# What the target must have. A refusal here says more than an error of the compiler later.
include(CheckCSourceCompiles)
include(CheckFunctionExists)

if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  math(EXPR bits "8 * ${CMAKE_SIZEOF_VOID_P}")
  message(FATAL_ERROR
    "netpram needs a 64-bit target, this one has ${bits} bits: sizes of networks and memory are 64-bit")
endif()
check_c_source_compiles(
  "int main(void) { unsigned __int128 product = 1; return (int)(product >> 64); }" NETPRAM_HAS_INT128)
if(NOT NETPRAM_HAS_INT128)
  message(FATAL_ERROR "netpram needs unsigned __int128: take gcc or clang")
endif()
# x87 keeps 80 bits of a double between stores.
check_c_source_compiles("#include <float.h>\n_Static_assert(FLT_EVAL_METHOD == 0, \"\");\nint main(void) { return 0; }"
  NETPRAM_HAS_IEEE_DOUBLES)
if(NOT NETPRAM_HAS_IEEE_DOUBLES)
  message(FATAL_ERROR "netpram needs doubles that are rounded after each operation (FLT_EVAL_METHOD 0)")
endif()

# The command reads its options by argp, which glibc has. Elsewhere it is a library of its own (argp-standalone).
check_function_exists(argp_parse NETPRAM_ARGP_IN_C_LIBRARY)
set(NETPRAM_ARGP)
if(NOT NETPRAM_ARGP_IN_C_LIBRARY)
  find_library(ARGP_LIBRARY argp)
  if(NOT ARGP_LIBRARY)
    message(FATAL_ERROR "netpram needs argp: install argp-standalone")
  endif()
  set(NETPRAM_ARGP ${ARGP_LIBRARY})
endif()

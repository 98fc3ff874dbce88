# Guards against what a bug in reading untrusted input could be used for, in optimised builds: each is taken if compiler
# and linker have it. tests/cli/hardening says what the files built have; docs/testing.md what the guards cost.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckPIESupported)

option(NETPRAM_HARDEN "Build with the guards of compiler and linker, if optimised" ON)
set(NETPRAM_GUARDS) # what tests/cli/hardening must find

# A flag of the compiler, if it has it. The third argument, if any, is what the files then show.
function(netpram_harden_compile flag name)
  check_c_compiler_flag(${flag} ${name})
  if(${name})
    target_compile_options(netpram_options INTERFACE ${flag})
    set(NETPRAM_GUARDS ${NETPRAM_GUARDS} ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

function(netpram_harden_link flag name guard)
  set(CMAKE_REQUIRED_LINK_OPTIONS ${flag})
  check_c_source_compiles("int main(void) { return 0; }" ${name})
  if(${name})
    target_link_options(netpram_options INTERFACE ${flag})
    set(NETPRAM_GUARDS ${NETPRAM_GUARDS} ${guard} PARENT_SCOPE)
  endif()
endfunction()

# Checks of the sizes that string and memory functions write to. Level 3 needs the help of C library and compiler.
function(netpram_harden_fortify)
  foreach(level 3 2)
    set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level} -Werror")
    check_c_source_compiles(
      "#include <string.h>\n#if __USE_FORTIFY_LEVEL < ${level}\n#error\n#endif\nint main(void) { return 0; }"
      NETPRAM_HAS_FORTIFY_${level})
    if(NETPRAM_HAS_FORTIFY_${level})
      target_compile_options(netpram_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})
      set(NETPRAM_GUARDS ${NETPRAM_GUARDS} fortify PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

if(NETPRAM_HARDEN AND NOT NETPRAM_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  check_pie_supported(LANGUAGES C)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  if(CMAKE_C_LINK_PIE_SUPPORTED)
    list(APPEND NETPRAM_GUARDS pie)
  endif()
  netpram_harden_fortify()
  netpram_harden_compile(-fstack-protector-strong NETPRAM_HAS_STACK_PROTECTOR stack-protector)
  netpram_harden_compile(-fstack-clash-protection NETPRAM_HAS_STACK_CLASH)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    netpram_harden_compile(-fcf-protection=full NETPRAM_HAS_CET)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    netpram_harden_compile(-mbranch-protection=standard NETPRAM_HAS_BRANCH_PROTECTION)
  endif()
  netpram_harden_link(-Wl,-z,relro NETPRAM_HAS_RELRO relro)
  netpram_harden_link(-Wl,-z,now NETPRAM_HAS_NOW now)
  netpram_harden_link(-Wl,-z,noexecstack NETPRAM_HAS_NOEXECSTACK noexecstack)
endif()

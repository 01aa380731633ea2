/* In builds with gcov's counters, in the place of _exit (cmake/EdgewiseBuild.cmake: --wrap): what a process that ends by it has counted is kept. */
void __gcov_dump(void);
_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);

_Noreturn void __wrap__exit(int code) {
  __gcov_dump();
  __real__exit(code);
}

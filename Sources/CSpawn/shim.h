// What starting a program needs and the C library's headers do not show to Swift. Nothing is included here: a type
// that this module would define a second time could not be used without importing it.
#if defined(__linux__)
// The first argument is a posix_spawn_file_actions_t.
int spawn_actions_add_directory(void *actions, const char *directory)
    __asm__("posix_spawn_file_actions_addchdir_np");
int pipe2(int descriptors[2], int flags);

// glibc 2.34; nothing happens where it is not there.
int spawn_actions_close_from_if_there(void *actions, int from)
    __asm__("posix_spawn_file_actions_addclosefrom_np") __attribute__((weak));
static inline void spawn_actions_close_from(void *actions, int from) {
  if (spawn_actions_close_from_if_there) spawn_actions_close_from_if_there(actions, from);
}
#endif

extern char **environ;

// The environment, which Swift does not let a global variable be read for.
static inline char **spawn_environment(void) { return environ; }

// measure OUT COMMAND [ARG...]: runs a command and writes the kernel's account of it to the file OUT:
// wall, user and system seconds, peak resident kilobytes, exit code.
// A program of its own because a child's peak starts at its parent's size, and Python's is 15 MB.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: measure OUT COMMAND [ARG...]\n"), 2;
  struct timespec began, ended;
  clock_gettime(CLOCK_MONOTONIC, &began);
  pid_t pid = vfork();
  if (pid == 0) execvp(argv[2], argv + 2), _exit(127);
  int status;
  struct rusage usage;
  if (pid < 0 || wait4(pid, &status, 0, &usage) != pid) return perror("measure"), 2;
  clock_gettime(CLOCK_MONOTONIC, &ended);
  FILE *out = fopen(argv[1], "w");
  if (!out) return perror(argv[1]), 2;
  fprintf(out, "%.6f %ld.%06ld %ld.%06ld %ld %d\n",
          (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9,
          (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec, (long)usage.ru_stime.tv_sec,
          (long)usage.ru_stime.tv_usec, usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return fclose(out) != 0;
}

/*
 * Test library, used by LD_PRELOAD: makes file calls fail while the file named by FAULT_FILE exists. That file contains
 * three words: the number of the error, "write" or "sync", and a part of the affected paths.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int fails(int fd, const char *call) {
  const char *control = getenv("FAULT_FILE");
  if (!control || access(control, R_OK) != 0) return 0;
  int saved = errno, number = 0;
  char which[16] = "", part[256] = "", link[64], path[4096];
  FILE *file = fopen(control, "r");
  if (!file) return 0;
  int words = fscanf(file, "%d %15s %255s", &number, which, part);
  fclose(file);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = saved;
  if (words != 3 || length < 0 || strcmp(which, call) != 0) return 0;
  path[length] = 0;
  if (!strstr(path, part)) return 0;
  errno = number;
  return 1;
}

#define WRAP(result, name, call, parameters, arguments)                       \
  result name parameters {                                                    \
    static result(*real) parameters;                                          \
    if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name);          \
    if (fails(fd, call)) return -1;                                           \
    return real arguments;                                                    \
  }

WRAP(ssize_t, write, "write", (int fd, const void *data, size_t size), (fd, data, size))
WRAP(ssize_t, pwrite, "write", (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
WRAP(ssize_t, pwrite64, "write", (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
WRAP(ssize_t, writev, "write", (int fd, const struct iovec *parts, int count), (fd, parts, count))
WRAP(ssize_t, pwritev, "write", (int fd, const struct iovec *parts, int count, off_t at), (fd, parts, count, at))
WRAP(ssize_t, pwritev64, "write", (int fd, const struct iovec *parts, int count, off_t at), (fd, parts, count, at))
WRAP(int, fsync, "sync", (int fd), (fd))
WRAP(int, fdatasync, "sync", (int fd), (fd))

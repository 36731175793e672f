/*
 * A library that is preloaded into the real process and records its disk operations: each write, truncation, sync, and
 * change of a name in the folder CRASH_FOLDER goes to the file CRASH_RECORD, in order, with the time. From this record,
 * disk.ts computes what the disk may contain after a power cut. Tests only.
 *
 * A call that changes a file of the folder in a way that can't be recorded ends the process, so no change is missing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* record.ts uses the same numbers. */
enum { OPEN_NEW = 1, WRITE = 2, TRUNCATE = 3, SYNC = 4, SYNC_FOLDER = 5, RENAME = 6, UNLINK = 7, MKDIR = 8, RMDIR = 9, OPEN_OLD = 10 };

struct header {
  uint64_t at; /* nanoseconds of CLOCK_MONOTONIC at the end of the call */
  uint32_t what;
  uint32_t file; /* the recorder's number of the file, 0 for folders and names */
  int64_t offset; /* the offset of a write, or the new size of a truncation */
  uint32_t first, second; /* sizes of what follows: the path or data, and the second path */
};

static const char *folder;
static size_t folder_length;
static int record = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The files of the folder that were opened, by device and inode. */
static struct { dev_t dev; ino_t ino; uint32_t file; } known[4096];
static uint32_t files;

static void give_up(const char *what) {
  dprintf(2, "recorder: %s isn't recorded\n", what);
  _exit(97);
}

__attribute__((constructor)) static void begin(void) {
  const char *to = getenv("CRASH_RECORD");
  folder = getenv("CRASH_FOLDER");
  if (to == NULL || folder == NULL) return;
  folder_length = strlen(folder);
  record = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (record < 0) give_up("anything");
}

/* Appends an entry with the current time to the record. `a` is the path or the data, `b` the second path of a rename. */
static void note(uint32_t what, uint32_t file, int64_t offset, const void *a, size_t a_length, const void *b, size_t b_length) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct header header = {(uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec, what, file, offset, (uint32_t)a_length, (uint32_t)b_length};
  struct iovec parts[3] = {{&header, sizeof header}, {(void *)a, a_length}, {(void *)b, b_length}};
  size_t total = sizeof header + a_length + b_length;
  if (syscall(SYS_writev, record, parts, 3) != (long)total) give_up("a full record");
}

/* Returns the path relative to the folder, or NULL if the path is not recorded. */
static const char *inside(int at, const char *path, char *space) {
  if (record < 0 || path == NULL) return NULL;
  if (path[0] != '/') {
    char base[PATH_MAX], link[64];
    ssize_t length;
    if (at == AT_FDCWD) length = getcwd(base, sizeof base) == NULL ? -1 : (ssize_t)strlen(base);
    else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      length = readlink(link, base, sizeof base - 1);
    }
    if (length < 0) return NULL;
    base[length] = 0;
    if (snprintf(space, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return NULL;
    path = space;
  }
  if (strncmp(path, folder, folder_length) != 0 || path[folder_length] != '/') return NULL;
  /* SQLite's -shm file is shared memory, which the first process after a crash creates again. */
  size_t length = strlen(path);
  if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return NULL;
  return path + folder_length + 1;
}

/* Returns the recorder's number of an open file, or 0 if the file is not recorded. */
static uint32_t file_of(int fd) {
  struct stat is;
  if (record < 0 || files == 0 || fstat(fd, &is) != 0 || !S_ISREG(is.st_mode)) return 0;
  for (uint32_t n = files; n-- > 0;) if (known[n].dev == is.st_dev && known[n].ino == is.st_ino) return known[n].file;
  return 0;
}

/* Gives an open file of the folder the next number, and returns the number. */
static uint32_t remember(int fd) {
  struct stat is;
  if (fstat(fd, &is) != 0) return 0;
  if (files == sizeof known / sizeof known[0]) give_up("so many files");
  known[files].dev = is.st_dev;
  known[files].ino = is.st_ino;
  known[files].file = files + 1;
  return ++files;
}

/* Forgets a removed file, because the system may use its inode again for another file, even one outside the folder. */
static void forget(const struct stat *is) {
  for (uint32_t n = 0; n < files; n++) if (known[n].dev == is->st_dev && known[n].ino == is->st_ino) known[n].ino = 0;
}

#define REAL(name, type) static type real; if (real == NULL) real = (type)dlsym(RTLD_NEXT, name)
typedef int (*open_t)(const char *, int, ...);
typedef int (*openat_t)(int, const char *, int, ...);

static int opened(int at, const char *path, int flags, mode_t mode) {
  REAL("openat", openat_t);
  char space[PATH_MAX];
  const char *name = inside(at, path, space);
  if (name == NULL) return real(at, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat is;
  int was = fstatat(at, path, &is, 0) == 0;
  int fd = real(at, path, flags, mode);
  int error = errno;
  if (fd >= 0 && fstat(fd, &is) == 0 && S_ISREG(is.st_mode)) {
    uint32_t file = was ? file_of(fd) : 0;
    if (file == 0) {
      file = remember(fd);
      note(was ? OPEN_OLD : OPEN_NEW, file, 0, name, strlen(name), NULL, 0);
    }
    if (was && (flags & O_TRUNC)) note(TRUNCATE, file, 0, NULL, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

static mode_t mode_in(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

#define OPEN(name) int name(const char *path, int flags, ...) { va_list rest; va_start(rest, flags); mode_t mode = mode_in(flags, rest); va_end(rest); return opened(AT_FDCWD, path, flags, mode); }
#define OPENAT(name) int name(int at, const char *path, int flags, ...) { va_list rest; va_start(rest, flags); mode_t mode = mode_in(flags, rest); va_end(rest); return opened(at, path, flags, mode); }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static ssize_t written(int fd, const void *data, size_t length, off_t offset) {
  uint32_t file = file_of(fd);
  if (file == 0) return offset < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, offset);
  pthread_mutex_lock(&lock);
  if (offset < 0 && (fcntl(fd, F_GETFL) & O_APPEND)) give_up("appending");
  off_t from = offset < 0 ? lseek(fd, 0, SEEK_CUR) : offset;
  ssize_t done = offset < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, offset);
  int error = errno;
  if (done > 0) note(WRITE, file, from, data, (size_t)done, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}

ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, -1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset); }
ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset); }

static ssize_t written_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  if (file_of(fd) == 0) {
    if (offset < 0) return syscall(SYS_writev, fd, parts, count);
    return syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L);
  }
  ssize_t total = 0;
  for (int n = 0; n < count; n++) {
    ssize_t done = written(fd, parts[n].iov_base, parts[n].iov_len, offset < 0 ? -1 : offset + total);
    if (done < 0) return total > 0 ? total : done;
    total += done;
    if ((size_t)done < parts[n].iov_len) break;
  }
  return total;
}

ssize_t writev(int fd, const struct iovec *parts, int count) { return written_parts(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return written_parts(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) { return written_parts(fd, parts, count, offset); }

static int cut(int fd, off_t size) {
  uint32_t file = file_of(fd);
  if (file == 0) return (int)syscall(SYS_ftruncate, fd, size);
  pthread_mutex_lock(&lock);
  int result = (int)syscall(SYS_ftruncate, fd, size);
  int error = errno;
  if (result == 0) note(TRUNCATE, file, size, NULL, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int ftruncate(int fd, off_t size) { return cut(fd, size); }
int ftruncate64(int fd, off_t size) { return cut(fd, size); }

/* Records a sync of the folder or its files without performing it, as the real disk is not under test. */
static int synced(int fd, int call) {
  struct stat is;
  char link[64], path[PATH_MAX], space[PATH_MAX];
  uint32_t file = file_of(fd);
  if (file != 0) {
    pthread_mutex_lock(&lock);
    note(SYNC, file, 0, NULL, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return 0;
  }
  if (record < 0 || fstat(fd, &is) != 0 || !S_ISDIR(is.st_mode)) return (int)syscall(call, fd);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 2);
  if (length < 0) give_up("a folder without a name");
  path[length] = 0;
  int is_folder = strcmp(path, folder) == 0;
  const char *name = is_folder ? "" : inside(AT_FDCWD, path, space);
  if (name == NULL) return (int)syscall(call, fd);
  pthread_mutex_lock(&lock);
  note(SYNC_FOLDER, 0, 0, name, strlen(name), NULL, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

static int renamed(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  char from_space[PATH_MAX], to_space[PATH_MAX];
  const char *a = inside(from_at, from, from_space), *b = inside(to_at, to, to_space);
  if (a == NULL && b == NULL) return (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
  if (a == NULL || b == NULL || flags != 0) give_up("moving a file in or out");
  pthread_mutex_lock(&lock);
  struct stat replaced;
  int replaces = fstatat(to_at, to, &replaced, AT_SYMLINK_NOFOLLOW) == 0;
  int result = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
  int error = errno;
  if (result == 0 && replaces) forget(&replaced);
  if (result == 0) note(RENAME, 0, 0, a, strlen(a), b, strlen(b));
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return renamed(from_at, from, to_at, to, 0); }
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) { return renamed(from_at, from, to_at, to, flags); }

static int named(uint32_t what, int at, const char *path, long call, long argument) {
  char space[PATH_MAX];
  const char *name = inside(at, path, space);
  if (name == NULL) return (int)syscall(call, at, path, argument);
  pthread_mutex_lock(&lock);
  struct stat gone;
  int goes = what == UNLINK && fstatat(at, path, &gone, AT_SYMLINK_NOFOLLOW) == 0;
  int result = (int)syscall(call, at, path, argument);
  int error = errno;
  if (result == 0 && goes) forget(&gone);
  if (result == 0) note(what, 0, 0, name, strlen(name), NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int unlink(const char *path) { return named(UNLINK, AT_FDCWD, path, SYS_unlinkat, 0); }
int rmdir(const char *path) { return named(RMDIR, AT_FDCWD, path, SYS_unlinkat, AT_REMOVEDIR); }
int unlinkat(int at, const char *path, int flags) { return named(flags & AT_REMOVEDIR ? RMDIR : UNLINK, at, path, SYS_unlinkat, flags); }
int remove(const char *path) { return unlink(path) == 0 || (errno == EISDIR && rmdir(path) == 0) ? 0 : -1; }
int mkdir(const char *path, mode_t mode) { return named(MKDIR, AT_FDCWD, path, SYS_mkdirat, (long)mode); }
int mkdirat(int at, const char *path, mode_t mode) { return named(MKDIR, at, path, SYS_mkdirat, (long)mode); }

/* These calls can't be recorded, so they end the process if they change a file of the folder. */
#define REFUSE_FD(fd, what) if (file_of(fd) != 0) give_up(what)
void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  if (fd >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE)) REFUSE_FD(fd, "writing through memory");
  return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset) { return mmap(address, length, protection, flags, fd, offset); }
int fallocate(int fd, int mode, off_t offset, off_t length) { REFUSE_FD(fd, "fallocate"); return (int)syscall(SYS_fallocate, fd, mode, offset, length); }
int posix_fallocate(int fd, off_t offset, off_t length) { REFUSE_FD(fd, "posix_fallocate"); return syscall(SYS_fallocate, fd, 0, offset, length) == 0 ? 0 : errno; }
ssize_t sendfile(int to, int from, off_t *offset, size_t count) { REFUSE_FD(to, "sendfile"); return syscall(SYS_sendfile, to, from, offset, count); }
ssize_t sendfile64(int to, int from, off_t *offset, size_t count) { return sendfile(to, from, offset, count); }
ssize_t copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t length, unsigned flags) {
  REFUSE_FD(to, "copy_file_range");
  return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, length, flags);
}
int truncate(const char *path, off_t size) {
  char space[PATH_MAX];
  if (inside(AT_FDCWD, path, space) != NULL) give_up("truncate by name");
  return (int)syscall(SYS_truncate, path, size);
}
int link(const char *from, const char *to) {
  char space[PATH_MAX];
  if (inside(AT_FDCWD, to, space) != NULL) give_up("a second name");
  return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

#include "device/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/regular.h"

#ifndef EW_VERSION
#error "EW_VERSION must be defined by the build: cached binaries of other versions must not match"
#endif

typedef struct footer {
  char magic[8];
  dev_cache_key key;
  uint64_t payload_size;
  unsigned char checksum[16];
} footer;

static const char footer_magic[8] = "EWBIN01";

bool dev_cache_dir(char *path, size_t size) {
  const char *own = getenv("EDGEWISE_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  const char *off = getenv("EDGEWISE_CACHE");
  int length = 0;
  path[0] = '\0';
  if (off && strcmp(off, "off") == 0) return true;
  if (own && *own) length = snprintf(path, size, "%s", own);
  else if (xdg && *xdg) length = snprintf(path, size, "%s/edgewise", xdg);
  else if (home && *home) length = snprintf(path, size, "%s/.cache/edgewise", home);
  if (length >= 0 && (size_t)length < size) return true;
  path[0] = '\0';
  return false;
}

/* Entries are loaded as code: the folder must be ours, and nobody else may write into it. One of ours that others could write into is
 * closed to them. */
static bool is_private(const char *dir) {
  struct stat st;
  if (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()) return false;
  return (st.st_mode & 022) == 0 || chmod(dir, 0700) == 0;
}

bool cache_dir_writable(const char *dir) {
  char path[PATH_MAX];
  if (!*dir || (size_t)snprintf(path, sizeof path, "%s", dir) >= sizeof path) return false;
  for (char *p = path + 1; *p; p++) {
    if (*p != '/') continue;
    *p = '\0';
    mkdir(path, 0777); /* whatever goes wrong here shows in the access() below */
    *p = '/';
  }
  mkdir(path, 0700);
  return access(path, W_OK | X_OK) == 0 && is_private(path);
}

/* The terminating NUL is hashed too, so that two neighbouring strings cannot trade characters. */
static void hash_string(XXH3_state_t *state, const char *s) { XXH3_128bits_update(state, s, strlen(s) + 1); }

dev_cache_key cache_key(const dev_info *info, const dev_build_request *request) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  hash_string(&state, EW_VERSION);
  hash_string(&state, info->platform);
  hash_string(&state, info->name);
  hash_string(&state, info->driver);
  hash_string(&state, request->target);
  hash_string(&state, request->options);
  hash_string(&state, request->source);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
  dev_cache_key key;
  memcpy(key.hash, canonical.digest, sizeof key.hash);
  return key;
}

static void checksum(unsigned char out[16], const dev_blob *payload) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(payload->data, payload->size));
  memcpy(out, canonical.digest, 16);
}

static bool entry_path(const dev_cache_key *key, char *path, size_t size) {
  char dir[PATH_MAX], hex[33];
  if (!dev_cache_dir(dir, sizeof dir) || !*dir) return false;
  for (size_t i = 0; i < sizeof key->hash; i++) snprintf(hex + 2 * i, 3, "%02x", key->hash[i]);
  return (size_t)snprintf(path, size, "%s/%s.bin", dir, hex) < size;
}

static bool in_private_folder(const char *entry) {
  char dir[PATH_MAX];
  const char *slash = strrchr(entry, '/');
  return slash && (size_t)snprintf(dir, sizeof dir, "%.*s", (int)(slash - entry), entry) < sizeof dir &&
         is_private(dir);
}

static bool read_all(int fd, void *data, size_t size) {
  for (char *p = data; size;) {
    ssize_t got = read(fd, p, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    size -= (size_t)got;
  }
  return true;
}

static bool write_all(int fd, const void *data, size_t size) {
  for (const char *p = data; size;) {
    ssize_t put = write(fd, p, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    p += put;
    size -= (size_t)put;
  }
  return true;
}

static bool footer_matches(const footer *tail, const dev_cache_key *key, const dev_blob *payload) {
  unsigned char sum[16];
  if (memcmp(tail->magic, footer_magic, sizeof footer_magic) != 0) return false;
  if (memcmp(&tail->key, key, sizeof *key) != 0 || tail->payload_size != payload->size) return false;
  checksum(sum, payload);
  return memcmp(tail->checksum, sum, sizeof sum) == 0;
}

bool cache_load(const dev_cache_key *key, dev_blob *payload, char *path, size_t path_size) {
  struct stat st;
  footer tail;
  bool good = false;
  *payload = (dev_blob){0};
  if (!entry_path(key, path, path_size) || !in_private_folder(path)) return false;
  int fd = ew_open_regular(path, O_RDONLY | O_NOFOLLOW, &st);
  if (fd < 0) return false;
  if (st.st_uid == geteuid() && (st.st_mode & 022) == 0 && st.st_size > (off_t)sizeof tail) {
    payload->size = (size_t)st.st_size - sizeof tail;
    payload->data = malloc(payload->size);
    good = payload->data && read_all(fd, payload->data, payload->size) && read_all(fd, &tail, sizeof tail) &&
           footer_matches(&tail, key, payload);
  }
  close(fd);
  if (good) return true;
  free(payload->data);
  *payload = (dev_blob){0};
  return false;
}

void cache_store(const dev_cache_key *key, const dev_blob *payload) {
  char dir[PATH_MAX], path[PATH_MAX], temporary[PATH_MAX];
  if (!payload->size || !dev_cache_dir(dir, sizeof dir) || !cache_dir_writable(dir)) return;
  if (!entry_path(key, path, sizeof path)) return;
  if ((size_t)snprintf(temporary, sizeof temporary, "%s/tmp-XXXXXX", dir) >= sizeof temporary) return;
  int fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0) return;
  footer tail = {.key = *key, .payload_size = payload->size};
  memcpy(tail.magic, footer_magic, sizeof footer_magic);
  checksum(tail.checksum, payload);
  bool good = write_all(fd, payload->data, payload->size) && write_all(fd, &tail, sizeof tail);
  good = close(fd) == 0 && good;
  if (!good || rename(temporary, path) != 0) unlink(temporary);
}

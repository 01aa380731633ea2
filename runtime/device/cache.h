/* The binary cache on disk: one file a key. A file is the payload followed by a footer with magic, key and
 * checksum: the payload comes first so that a shared object can be loaded from where it lies. Whatever is
 * wrong with a file or the folder, the answer is a miss and the next store replaces it. Safe under concurrent
 * processes: files are written under a temporary name and renamed. */
#ifndef EW_DEVICE_CACHE_H
#define EW_DEVICE_CACHE_H

#include "device/backend.h"

typedef struct dev_cache_key {
  unsigned char hash[16];
} dev_cache_key;

/* XXH3-128 of everything that decides the binary. */
dev_cache_key cache_key(const dev_info *info, const dev_build_request *request);

/* Reads the payload; `path` receives the file's name. False is a miss, with an empty blob. */
bool cache_load(const dev_cache_key *key, dev_blob *payload, char *path, size_t path_size);

/* Stores the payload if the folder can be written; failing to is not an error. */
void cache_store(const dev_cache_key *key, const dev_blob *payload);

/* Creates the folder (and its parents) where missing; false if it cannot be written to. */
bool cache_dir_writable(const char *dir);

#endif

#include "checkpoint_sums.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "formats/checkpoint_format.h"

typedef struct bytes_at {
  uint8_t *at, *end;
} bytes_at;

static bool skip(bytes_at *b, size_t n) {
  if ((size_t)(b->end - b->at) < n) return false;
  b->at += n;
  return true;
}

static bool take(bytes_at *b, void *to, size_t n) {
  const uint8_t *from = b->at;
  if (!skip(b, n)) return false;
  memcpy(to, from, n);
  return true;
}

static bool skip_text(bytes_at *b) {
  uint32_t n;
  return take(b, &n, sizeof n) && skip(b, n);
}

static uint32_t sum_of(const uint8_t *a, size_t n) { return (uint32_t)crc32_z(crc32_z(0, NULL, 0), a, n); }

/* Each array's sum, then the head's. */
void checkpoint_mend_sums(uint8_t *bytes, size_t size) {
  checkpoint_start start;
  bytes_at all = {bytes, bytes + size};
  uint32_t n, type;
  uint64_t count;
  if (!take(&all, &start, sizeof start) || start.head_size > size) return;
  bytes_at head = {all.at, all.end}, data;
  if (!skip(&all, (size_t)start.head_size + sizeof n)) return;
  head.end = all.at - sizeof n;
  data = all;
  bool good = take(&head, &n, sizeof n);
  for (uint32_t i = 0; good && i < n; i++) good = skip_text(&head) && skip_text(&head);
  good = good && take(&head, &n, sizeof n);
  for (uint32_t i = 0; good && i < n; i++) {
    good = skip_text(&head) && take(&head, &type, sizeof type) && take(&head, &count, sizeof count);
    uint8_t *sum_at = head.at, *from = data.at;
    good = good && skip(&head, sizeof n) && count <= size && skip(&data, (size_t)count * (type == 0 ? 8 : 4));
    uint32_t sum = good ? sum_of(from, (size_t)(data.at - from)) : 0;
    if (good) memcpy(sum_at, &sum, sizeof sum);
  }
  uint32_t sum = sum_of(bytes, (size_t)(all.at - bytes) - sizeof sum);
  memcpy(all.at - sizeof sum, &sum, sizeof sum);
}

#include "device/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

ew_status dev_buffer_create(dev_context *ctx, const char *name, uint64_t bytes, dev_buffer **out,
                            ew_error *err) {
  dev_buffer *buffer = calloc(1, sizeof *buffer);
  if (!buffer) return dev_out_of_memory(err, "a buffer");
  *buffer = (dev_buffer){.ctx = ctx, .id = ++ctx->next_buffer_id, .bytes = bytes};
  snprintf(buffer->name, sizeof buffer->name, "%s", name);
  ew_status status = ctx->backend->buffer_open(buffer, err);
  if (status != EW_OK) return free(buffer), status;
  dev_stats *s = &ctx->stats;
  s->device_bytes += bytes;
  if (s->device_bytes > s->peak_device_bytes) s->peak_device_bytes = s->device_bytes;
  *out = buffer;
  return EW_OK;
}

static ew_status check_range(const dev_buffer *b, const char *call, uint64_t offset, uint64_t bytes,
                             ew_error *err) {
  if (offset <= b->bytes && bytes <= b->bytes - offset) return EW_OK;
  return ew_fail(err, EW_INTERNAL,
                 "%s: bytes %" PRIu64 " to %" PRIu64 " lie outside buffer '%s' of %" PRIu64 " bytes on %s",
                 call, offset, offset + bytes, b->name, b->bytes, b->ctx->info.name);
}

ew_status dev_buffer_part(dev_buffer *whole, uint64_t offset, uint64_t bytes, dev_buffer **out,
                          ew_error *err) {
  dev_context *ctx = whole->ctx;
  ew_status status = check_range(whole, "dev_buffer_part", offset, bytes, err);
  if (status != EW_OK) return status;
  if (!ctx->backend->buffer_part || offset % DEV_PART_ALIGNMENT != 0)
    return ew_fail(err, EW_DEVICE, "%s has no parts of buffers that begin at byte %" PRIu64, ctx->info.name,
                   offset);
  dev_buffer *part = calloc(1, sizeof *part);
  if (!part) return dev_out_of_memory(err, "a buffer");
  *part = (dev_buffer){.ctx = ctx, .id = ++ctx->next_buffer_id, .bytes = bytes, .is_part = true};
  snprintf(part->name, sizeof part->name, "%s", whole->name);
  status = ctx->backend->buffer_part(part, whole, offset, err);
  if (status != EW_OK) return free(part), status;
  *out = part;
  return EW_OK;
}

void dev_buffer_destroy(dev_buffer **buffer) {
  if (!buffer || !*buffer) return;
  dev_buffer *b = *buffer;
  if (b->mapped) b->map_writes = false, dev_buffer_unmap(b, NULL);
  b->ctx->backend->buffer_close(b);
  if (!b->is_part) b->ctx->stats.device_bytes -= b->bytes;
  free(b);
  *buffer = NULL;
}

uint64_t dev_buffer_bytes(const dev_buffer *buffer) { return buffer->bytes; }

const char *dev_buffer_name(const dev_buffer *buffer) { return buffer->name; }

static ew_status write_any(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *source, void **pending,
                           ew_error *err) {
  ew_status status = check_range(b, "dev_buffer_write", offset, bytes, err);
  if (status != EW_OK || bytes == 0) return status;
  status = b->ctx->backend->write(b, offset, bytes, source, pending, err);
  if (status != EW_OK) return status;
  b->ctx->stats.bytes_to_device += bytes;
  b->ctx->stats.transfers_to_device++;
  return EW_OK;
}

static ew_status read_any(const dev_buffer *b, uint64_t offset, uint64_t bytes, void *target, void **pending,
                          ew_error *err) {
  ew_status status = check_range(b, "dev_buffer_read", offset, bytes, err);
  if (status != EW_OK || bytes == 0) return status;
  status = b->ctx->backend->read(b, offset, bytes, target, pending, err);
  if (status != EW_OK) return status;
  b->ctx->stats.bytes_to_host += bytes;
  b->ctx->stats.transfers_to_host++;
  return EW_OK;
}

ew_status dev_buffer_write(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *source,
                           ew_error *err) {
  return write_any(buffer, offset, bytes, source, NULL, err);
}

ew_status dev_buffer_upload(dev_context *ctx, const char *name, const void *source, uint64_t bytes,
                            dev_buffer **buffer, ew_error *err) {
  ew_status status = dev_buffer_create(ctx, name, bytes, buffer, err);
  if (status != EW_OK) return status;
  status = dev_buffer_write(*buffer, 0, bytes, source, err);
  if (status != EW_OK) dev_buffer_destroy(buffer);
  return status;
}

ew_status dev_buffer_read(const dev_buffer *buffer, uint64_t offset, uint64_t bytes, void *target,
                          ew_error *err) {
  return read_any(buffer, offset, bytes, target, NULL, err);
}

/* The event is made before the transfer starts: once it runs nothing may fail that would lose its handle. */
static ew_status event_create(dev_context *ctx, dev_event **event, ew_error *err) {
  *event = calloc(1, sizeof **event);
  if (!*event) return dev_out_of_memory(err, "a transfer event");
  (*event)->ctx = ctx;
  return EW_OK;
}

ew_status dev_buffer_write_begin(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *source,
                                 dev_event **event, ew_error *err) {
  ew_status status = event_create(buffer->ctx, event, err);
  if (status == EW_OK) status = write_any(buffer, offset, bytes, source, &(*event)->pending, err);
  if (status != EW_OK) free(*event), *event = NULL;
  return status;
}

ew_status dev_buffer_read_begin(const dev_buffer *buffer, uint64_t offset, uint64_t bytes, void *target,
                                dev_event **event, ew_error *err) {
  ew_status status = event_create(buffer->ctx, event, err);
  if (status == EW_OK) status = read_any(buffer, offset, bytes, target, &(*event)->pending, err);
  if (status != EW_OK) free(*event), *event = NULL;
  return status;
}

ew_status dev_event_wait(dev_event **event, ew_error *err) {
  if (!event || !*event) return EW_OK;
  dev_event *e = *event;
  ew_status status = e->pending ? e->ctx->backend->wait(e->ctx, e->pending, err) : EW_OK;
  free(e);
  *event = NULL;
  return status;
}

ew_status dev_buffer_copy(dev_buffer *target, uint64_t target_offset, const dev_buffer *source,
                          uint64_t source_offset, uint64_t bytes, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(check_range(target, "dev_buffer_copy (target)", target_offset, bytes, err));
  EW_CHECK(check_range(source, "dev_buffer_copy (source)", source_offset, bytes, err));
  uint64_t distance =
      target_offset > source_offset ? target_offset - source_offset : source_offset - target_offset;
  if (target == source && distance < bytes)
    return ew_fail(err, EW_INTERNAL, "dev_buffer_copy: the ranges overlap in buffer '%s'", target->name);
  if (bytes) status = target->ctx->backend->copy(target, target_offset, source, source_offset, bytes, err);
cleanup:
  return status;
}

ew_status dev_buffer_fill(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *pattern,
                          size_t pattern_bytes, ew_error *err) {
  bool size_ok = pattern_bytes == 1 || pattern_bytes == 2 || pattern_bytes == 4 || pattern_bytes == 8 ||
                 pattern_bytes == 16;
  ew_status status = check_range(buffer, "dev_buffer_fill", offset, bytes, err);
  if (status != EW_OK) return status;
  if (!size_ok || offset % pattern_bytes || bytes % pattern_bytes)
    return ew_fail(err, EW_INTERNAL,
                   "dev_buffer_fill: buffer '%s': a pattern of %zu bytes does not fit offset %" PRIu64
                   " and size %" PRIu64,
                   buffer->name, pattern_bytes, offset, bytes);
  return bytes ? buffer->ctx->backend->fill(buffer, offset, bytes, pattern, pattern_bytes, err) : EW_OK;
}

/* A buffer that lies elsewhere is read, and written back. */
static ew_status map_copy(dev_buffer *b, ew_error *err) {
  b->mapped = calloc(1, b->bytes ? b->bytes : 1);
  if (!b->mapped) return dev_out_of_memory(err, "a copy of a buffer");
  b->map_copied = true;
  ew_status status = dev_buffer_read(b, 0, b->bytes, b->mapped, err);
  if (status != EW_OK) free(b->mapped), b->mapped = NULL;
  return status;
}

ew_status dev_buffer_map(dev_buffer *b, bool write, void **memory, bool *in_place, ew_error *err) {
  ew_status status = EW_OK;
  const dev_backend *backend = b->ctx->backend;
  if (b->mapped) return ew_fail(err, EW_INTERNAL, "dev_buffer_map: '%s' is mapped already", b->name);
  b->map_copied = false;
  if (backend->map) EW_CHECK(backend->map(b, write, &b->mapped, err));
  if (!b->mapped) EW_CHECK(map_copy(b, err));
  b->map_writes = write;
  *memory = b->mapped;
  *in_place = !b->map_copied;
cleanup:
  return status;
}

ew_status dev_buffer_unmap(dev_buffer *b, ew_error *err) {
  ew_status status = EW_OK;
  void *memory = b->mapped;
  if (!memory) return EW_OK;
  b->mapped = NULL;
  if (!b->map_copied) return b->ctx->backend->unmap(b, memory, err);
  if (b->map_writes) status = dev_buffer_write(b, 0, b->bytes, memory, err);
  free(memory);
  return status;
}

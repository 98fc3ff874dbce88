/* Streams where the ranks have no better way than an exchange: all that is sent is held at once. */
#include "base/job.h"

#include "base/memory.h"

typedef struct letters {
    np_job_part *out, *in; /* [size] each */
    char **data;           /* [size] of out */
} letters;

static np_status write_letter(const np_job_stream *stream, uint32_t to, np_job_part *out, char **data)
{
    size_t room = 0, bytes = 0;
    np_status st = NP_OK;
    for (size_t filled = 1; filled && !st; bytes += filled) {
        if (room - bytes < NP_JOB_ROOM) {
            room = 2 * room + NP_JOB_ROOM;
            if ((st = np_memory_grow(data, bytes, room, 1, "what other ranks get")))
                break;
        }
        filled = stream->fill(stream->object, to, *data + bytes, room - bytes);
    }
    *out = (np_job_part){*data, bytes};
    return st;
}

static np_status write_letters(const np_job *job, const np_job_stream *stream, letters *l)
{
    np_status st;
    if ((st = np_memory_zeroed(&l->out, job->size, sizeof *l->out, "what other ranks get")) ||
        (st = np_memory_zeroed(&l->in, job->size, sizeof *l->in, "what other ranks send")) ||
        (st = np_memory_zeroed(&l->data, job->size, sizeof *l->data, "what other ranks get")))
        return st;
    for (uint32_t r = 0; r < job->size && !st; r++)
        if (r != job->rank)
            st = write_letter(stream, r, &l->out[r], &l->data[r]);
    return st;
}

static np_status send_letters(const np_job *job, const np_job_stream *stream, size_t count, uint64_t *values)
{
    letters l = {NULL, NULL, NULL};
    np_status st = np_job_agree(job, write_letters(job, stream, &l));
    if (!st)
        st = job->exchange(job->context, l.out, l.in);
    for (uint32_t r = 0; r < job->size && !st; r++)
        if (r != job->rank && l.in[r].bytes)
            stream->take(stream->object, r, l.in[r].data, l.in[r].bytes);
    for (uint32_t r = 0; l.data && r < job->size; r++)
        np_memory_free(l.data[r]);
    np_memory_free(l.data);
    np_memory_free(l.out);
    np_memory_free(l.in);
    return st || !count ? st : job->sum(job->context, count, values);
}

np_status np_job_stream_all(const np_job *job, const np_job_stream *stream, size_t count, uint64_t *values)
{
    return job->stream ? job->stream(job->context, stream, count, values) : send_letters(job, stream, count, values);
}

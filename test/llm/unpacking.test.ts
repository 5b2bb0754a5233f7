import { createServer, type Server, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { createPost, ReplyTooLarge } from '../../src/llm/http-post.js';

const PLAIN_BYTES = 16_000_000;
const servers: Server[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const PACKINGS = [
  { encoding: 'br', pack: zlib.brotliCompressSync, create: 'createBrotliDecompress' },
  { encoding: 'gzip', pack: zlib.gzipSync, create: 'createUnzip' },
] as const;
type Packing = (typeof PACKINGS)[number];

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return `http://127.0.0.1:${address.port}/`;
}

interface Posted {
  readonly packing: Packing;
  readonly maxReplyBytes: number;
  readonly timeoutMs?: number;
  readonly isWhole?: boolean;
  /** Called with each piece that was unpacked. */
  readonly onPiece?: (dropped: AbortController) => void;
}

/** Posts to a server whose reply is small and unpacks to 16 MB, and tells how much was unpacked, and when nobody read on. */
async function postedTo({ packing, maxReplyBytes, timeoutMs = 10_000, isWhole = true, onPiece }: Posted) {
  const packed = packing.pack(Buffer.alloc(PLAIN_BYTES));
  const url = await serve((response) => {
    response.setHeader('content-encoding', packing.encoding);
    if (isWhole) response.end(packed);
    else response.write(packed.subarray(0, -8));
  });
  const made: { readonly stream: zlib.Unzip | zlib.BrotliDecompress; bytes: number }[] = [];
  const dropped = new AbortController();
  const create = zlib[packing.create];
  vi.spyOn(zlib, packing.create).mockImplementation((options?: zlib.ZlibOptions) => {
    const one = { stream: create(options), bytes: 0 };
    const push = one.stream.push.bind(one.stream);
    vi.spyOn(one.stream, 'push').mockImplementation((chunk: unknown) => {
      if (Buffer.isBuffer(chunk)) {
        one.bytes += chunk.byteLength;
        onPiece?.(dropped);
      }
      return push(chunk);
    });
    made.push(one);
    return one.stream;
  });
  const address = new URL(url);
  const post = await createPost(address);
  const error: unknown = await post(
    { url: address, headers: {}, text: '{}' },
    { timeoutMs, maxReplyBytes, signal: dropped.signal },
  ).catch((thrown: unknown) => thrown);
  const [unpacking] = made;
  return { error, unpacking };
}

/** The same of a request during which something was unpacked; on a busy machine the server may be silent from the beginning. */
async function unpackedFrom(posted: Posted) {
  for (let timeoutMs = posted.timeoutMs ?? 10_000; ; timeoutMs *= 4) {
    const { error, unpacking } = await postedTo({ ...posted, timeoutMs });
    if (unpacking !== undefined) return { error, unpacking };
    if (timeoutMs > 10_000) throw new TypeError('nothing was unpacked');
    vi.restoreAllMocks();
  }
}

/** Whether nothing more is unpacked, nor would be collected. */
async function isOver({ stream, bytes }: Awaited<ReturnType<typeof unpackedFrom>>['unpacking']) {
  await setImmediate();
  return stream.destroyed && stream.listenerCount('data') === 0 && bytes < PLAIN_BYTES;
}

describe.each(PACKINGS)('a reply packed with $encoding is unpacked no further', (packing) => {
  it('once it is larger than allowed', async () => {
    const { error, unpacking } = await unpackedFrom({ packing, maxReplyBytes: 100_000 });
    expect(error).toBeInstanceOf(ReplyTooLarge);
    expect(await isOver(unpacking)).toBe(true);
    expect(unpacking.bytes).toBeLessThan(1_000_000);
  });

  it('once the request was dropped', async () => {
    const { error, unpacking } = await unpackedFrom({
      packing,
      maxReplyBytes: Infinity,
      onPiece: (dropped) => dropped.abort(),
    });
    expect(error).toMatchObject({ message: 'the request was dropped' });
    expect(await isOver(unpacking)).toBe(true);
  });

  it('once the server was silent for too long', async () => {
    const { error, unpacking } = await unpackedFrom({
      packing,
      maxReplyBytes: Infinity,
      timeoutMs: 50,
      isWhole: false,
    });
    expect(error).toMatchObject({ message: expect.stringContaining('timed out') as string });
    await setImmediate();
    expect(unpacking.stream.destroyed).toBe(true);
    expect(unpacking.stream.listenerCount('data')).toBe(0);
  });
});

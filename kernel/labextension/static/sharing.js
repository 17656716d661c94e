// A program in the fragment of an address: #code=...&facts=rocky-9, where the code is compressed by
// deflate and written in base64url. A fragment is not sent to any server.

// Of a program, in bytes: a link may say anything.
const MAX_SIZE = 200_000;

/** A link that says nothing that can be used; the message is for the reader. */
export class LinkError extends Error {}

/** Resolve to the fragment for a program and the name of a set of facts. Throws LinkError. */
export async function toFragment({ code, facts }) {
  const encoded = new TextEncoder().encode(code);
  if (encoded.byteLength > MAX_SIZE) {
    throw tooLarge();
  }
  const compressed = through(encoded, new CompressionStream('deflate-raw'));
  const parameters = new URLSearchParams({ code: toBase64(await joined(compressed)) });
  if (facts) {
    parameters.set('facts', facts);
  }
  return `#${parameters}`;
}

/** Resolve to the program and facts of a fragment; null where it has none. Throws LinkError. */
export async function fromFragment(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const code = parameters.get('code');
  if (code === null) {
    return null;
  }
  return { code: await expanded(code), facts: parameters.get('facts') };
}

async function expanded(code) {
  try {
    const bytes = through(fromBase64(code), new DecompressionStream('deflate-raw'));
    return new TextDecoder('utf-8', { fatal: true }).decode(await joined(bytes));
  } catch (error) {
    if (error instanceof LinkError) {
      throw error;
    }
    throw new LinkError('The program in this link is damaged: was the link copied as a whole?');
  }
}

function through(bytes, stream) {
  return new Blob([bytes]).stream().pipeThrough(stream);
}

/** Resolve to all bytes of a stream, of which there may be so many. */
async function joined(stream) {
  const reader = stream.getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return new Uint8Array(await new Blob(chunks).arrayBuffer());
    }
    size += value.byteLength;
    if (size > MAX_SIZE) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
}

function tooLarge() {
  return new LinkError(`A link holds programs of up to ${MAX_SIZE / 1000} kB.`);
}

function toBase64(bytes) {
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64(text) {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(plain), char => char.charCodeAt(0));
}

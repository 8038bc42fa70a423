import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { productRoutes } from '../../../contract/products.ts'
import { mount } from '../../platform/http/mount.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Market } from '../ports.ts'
import { sha256OfFile } from '../../platform/textFile.ts'

/** The URL contains the hash of the content. */
const immutableCacheControl = 'public, max-age=31536000, immutable'

/**
 * Serves the recordings that products replay or have replayed, if their files are still in the folder: from a file and
 * its epoch, clients can compute every tick. Only files named in a source's fingerprint are served.
 */
export function mountRecordings(
  app: FastifyInstance,
  market: Pick<Market, 'ids' | 'sources'>,
  dir: string,
): void {
  let pathsByHash: Promise<ReadonlyMap<string, string>> | null = null
  const isReferenced = (sha256: string): boolean =>
    market.ids.some((id) =>
      market.sources(id).some(({ fingerprint }) => fingerprint.startsWith(`replay:${sha256}:`)),
    )
  mount(app, productRoutes.recording, async ({ params: { sha256 }, reply }) => {
    if (!isReferenced(sha256)) throw new ApiError('NOT_FOUND')
    pathsByHash ??= indexRecordings(dir)
    const path = (await pathsByHash.catch(() => (pathsByHash = null)))?.get(sha256)
    const size = path === undefined ? undefined : (await stat(path).catch(() => undefined))?.size
    if (path === undefined || size === undefined) throw new ApiError('NOT_FOUND')
    reply
      .type('application/gzip')
      .header('Cache-Control', immutableCacheControl)
      .header('Content-Length', size)
    return createReadStream(path)
  })
}

/** The paths of the folder's recordings by the SHA-256 of their files. Reads one file at a time to save memory. */
async function indexRecordings(dir: string): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>()
  for (const name of await readdir(dir)) {
    if (!name.endsWith('.csv.gz')) continue
    const path = join(dir, name)
    paths.set(await sha256OfFile(path), path)
  }
  return paths
}

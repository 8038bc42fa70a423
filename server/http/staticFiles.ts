import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** File names under assets/ contain a hash of the content, so the files never change. */
const immutable = 'public, max-age=31536000, immutable'

/**
 * Serves the built client: its page at `/` only, since the client's own routes are behind the `#`, and every file of the
 * build by name, precompressed if a compressed file is next to it. Without a build it serves nothing.
 */
export async function installStaticFiles(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', path.includes(`${sep}assets${sep}`) ? immutable : 'no-cache')
    },
  })
}

/** The id of the client's build; `dev` if there is none. */
export function clientBuildId(folder: string): string {
  const page = join(folder, 'index.html')
  return existsSync(page) ? createHash('sha256').update(readFileSync(page)).digest('hex').slice(0, 12) : 'dev'
}

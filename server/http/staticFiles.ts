import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { defaultLanguage, languages } from '../../contract/constants.ts'
import type { Language } from '../../contract/constants.ts'
import { ApiError } from '../apiError.ts'
import { officePath } from './headers.ts'
import { isLocal } from './loopback.ts'
import { pageFile } from './pageFile.ts'
import { chosenLanguage } from './requestLanguage.ts'

/** File names under assets/ contain a hash of the content, so the files never change. */
const immutable = 'public, max-age=31536000, immutable'

/**
 * Serves the built client: the page at `/` only, since the client's own routes are behind the `#`, and every other file
 * of the build by name, precompressed if a compressed file is next to it. Without a build it serves nothing. The page of
 * the back office is served where its calls are: to other machines only with `officeRemote`.
 */
export async function installStaticFiles(
  app: FastifyInstance,
  { folder, officeRemote }: { folder: string; officeRemote: boolean },
): Promise<void> {
  if (!isBuilt(folder)) return
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz', pageFile('*'), officePage],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', path.includes(`${sep}assets${sep}`) ? immutable : 'no-cache')
    },
  })
  // Requested by browsers that show no page of the client, such as for a file of the venue.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/icons/icon-192.png'),
  )
  for (const url of ['/', '/index.html']) mountPage(app, url, folder)
  mountOffice(app, officeRemote)
}

/** The page of the back office, in the folder of the built client. */
const officePage = `${officePath.slice(1)}/index.html`

function mountOffice(app: FastifyInstance, allowsRemote: boolean): void {
  const schema = { hide: true }
  app.get(officePath, { schema }, (_request, reply) => reply.redirect(`${officePath}/`, 301))
  app.get(`${officePath}/`, { schema }, (request, reply) => {
    if (!allowsRemote && !isLocal(request)) throw new ApiError('NOT_FOUND')
    return reply.headers({ 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'noindex' }).sendFile(officePage)
  })
}

/** Serves the page in the language that the member chose. Its tag differs by language: one address has ten pages. */
function mountPage(app: FastifyInstance, url: string, folder: string): void {
  const tags = new Map(languages.map((language) => [language, `W/"${hashOf(folder, [language])}"`]))
  app.get(url, { schema: { hide: true } }, (request, reply) => {
    const language = chosenLanguage(request.headers)
    const tag = tags.get(language)
    reply.headers({
      'Cache-Control': 'no-cache',
      'Content-Language': language,
      ETag: tag,
      Vary: 'Accept-Encoding, Cookie',
    })
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return reply.sendFile(pageFile(language), { etag: false, lastModified: false })
  })
}

/** The id of the client's build; `dev` if there is none. */
export const clientBuildId = (folder: string): string =>
  isBuilt(folder) ? hashOf(folder, languages).slice(0, 12) : 'dev'

const isBuilt = (folder: string): boolean => existsSync(join(folder, pageFile(defaultLanguage)))

/** Identifies the content of the pages in some languages. */
function hashOf(folder: string, inLanguages: readonly Language[]): string {
  const hash = createHash('sha256')
  for (const language of inLanguages) hash.update(readFileSync(join(folder, pageFile(language))))
  return hash.digest('hex')
}

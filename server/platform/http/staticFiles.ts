import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { defaultLanguage, languages, type Language } from '../../../contract/constants.ts'
import { ApiError } from '../apiError.ts'
import { isOfficeUrl, officePath } from './headers.ts'
import { isLocal } from './loopback.ts'
import { oldBrowserPage, pageFile } from './pageFile.ts'
import { chosenLanguage } from './requestLanguage.ts'

/** File names under assets/ contain a hash of the content, so the files never change. */
const immutable = 'public, max-age=31536000, immutable'

/**
 * Files of the build in the operator's name, logo and colours, by their name. Those not listed stay as built.
 */
export type BrandedFiles = ReadonlyMap<string, Buffer>

export type StaticFilesOptions = {
  deskRemote: boolean
  brand: (folder: string) => Promise<BrandedFiles>
}

/**
 * Serves the built client: the page at `/` only, since the client's own routes are behind the `#`, and every other file
 * of the build by name, precompressed if a compressed file is next to it. Without a build it serves nothing. The files of
 * the office are served where its calls are: to other machines only with `deskRemote`.
 */
export async function installStaticFiles(
  app: FastifyInstance,
  folder: string,
  { deskRemote, brand }: StaticFilesOptions,
): Promise<void> {
  if (!isBuilt(folder)) return
  const branded = await brand(folder)
  const own = mountBranded(app, branded)
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz', pageFile('*'), officePage, ...own],
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
  for (const url of ['/', '/index.html']) mountPage(app, url, { folder, branded })
  if (!deskRemote) guardOffice(app)
  mountOffice(app, branded)
}

/** The page of the office, in the folder of the built client. */
const officePage = `${officePath.slice(1)}/index.html`

/** Serves the files of the build that the operator's name, logo and colours change, and returns their names. */
function mountBranded(app: FastifyInstance, branded: BrandedFiles): string[] {
  // The other pages have routes of their own.
  const files = [...branded].filter(([name]) => !name.endsWith('.html') || name === oldBrowserPage)
  for (const [name, bytes] of files) {
    const tag = `W/"${hashOf([bytes])}"`
    app.get(`/${name}`, { schema: { hide: true } }, (request, reply) => {
      reply.headers({ 'Cache-Control': 'no-cache', ETag: tag })
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      return reply.type(types[extname(name)] ?? 'application/octet-stream').send(bytes)
    })
  }
  return files.flatMap(([name]) => [name, `${name}.br`, `${name}.gz`])
}

const html = 'text/html; charset=utf-8'
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': html,
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/** To other machines there is nothing below its address. */
function guardOffice(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (isOfficeUrl(request.routeOptions.url ?? '') && !isLocal(request)) throw new ApiError('NOT_FOUND')
  })
}

function mountOffice(app: FastifyInstance, branded: BrandedFiles): void {
  const page = branded.get(officePage)
  const schema = { hide: true }
  app.get(officePath, { schema }, (_request, reply) => reply.redirect(`${officePath}/`, 301))
  app.get(`${officePath}/`, { schema }, (_request, reply) => {
    reply.headers({ 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'noindex' })
    return page === undefined ? reply.sendFile(officePage) : reply.type(html).send(page)
  })
}

type PageParts = { folder: string; branded: BrandedFiles }

/** Serves the page in the language that the member chose. Its tag differs by language: one address has ten pages. */
function mountPage(app: FastifyInstance, url: string, { folder, branded }: PageParts): void {
  const pages = new Map(languages.map((language) => [language, branded.get(pageFile(language))]))
  const tags = new Map(
    languages.map((language) => [
      language,
      `W/"${hashOf([pages.get(language) ?? readPage(folder, language)])}"`,
    ]),
  )
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
    const page = pages.get(language)
    if (page !== undefined) return reply.type(html).send(page)
    return reply.sendFile(pageFile(language), { etag: false, lastModified: false })
  })
}

/** The id of the client's build; `dev` if there is none. */
export const clientBuildId = (folder: string): string =>
  isBuilt(folder) ? hashOf(languages.map((language) => readPage(folder, language))).slice(0, 12) : 'dev'

const isBuilt = (folder: string): boolean => existsSync(join(folder, pageFile(defaultLanguage)))

const readPage = (folder: string, language: Language): Buffer =>
  readFileSync(join(folder, pageFile(language)))

function hashOf(contents: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const content of contents) hash.update(content)
  return hash.digest('hex')
}

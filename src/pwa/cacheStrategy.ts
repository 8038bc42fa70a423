/** The files of one build of the client, by path; the worker contains those of its own build. */
export type BuildFiles = {
  /** Differs from build to build. */
  version: string
  /** The page's entry script. */
  entry: string
  /** What the page needs to render: the files it references and the entry's module graph. Their names contain a hash. */
  shell: readonly string[]
  /** Every other hashed file except the language packs. */
  rest: readonly string[]
  /** The language packs, by language. */
  packs: Readonly<Record<string, string>>
  /** Files that keep their name from build to build. */
  plain: readonly string[]
}

/**
 * How a request is answered. `network`: not intercepted. `page`: from the venue, else from the cache. `asset`: from the
 * cache, because its name contains its hash. `file`: from the network, else from the cache.
 */
export type CacheStrategy = 'network' | 'page' | 'asset' | 'file'

type InterceptedRequest = Pick<Request, 'method' | 'mode' | 'url'>

/** Paths of the venue: always live, never cached. */
const venueOnly = /^\/(api|socket\.io|healthz|metrics)(\/|$)/

/** The strategy for a request. Everything that is not a file of this build goes to the network. */
export function strategyOf(request: InterceptedRequest, origin: string, build: BuildFiles): CacheStrategy {
  const url = new URL(request.url)
  const { pathname } = url
  if (request.method !== 'GET' || url.origin !== origin || venueOnly.test(pathname)) return 'network'
  if (request.mode === 'navigate') return pathname === '/' || pathname === '/index.html' ? 'page' : 'network'
  if (isAsset(pathname, build)) return 'asset'
  return build.plain.includes(pathname) ? 'file' : 'network'
}

const isAsset = (path: string, { shell, rest, packs }: BuildFiles): boolean =>
  shell.includes(path) || rest.includes(path) || Object.values(packs).includes(path)

/**
 * What to cache once the app is idle: all files of the build that are not cached yet, and the language packs that this
 * device has used. `used` are paths of any build.
 */
export function pathsToCache(
  build: BuildFiles,
  used: readonly string[],
  cached: readonly string[],
): string[] {
  const packs = Object.entries(build.packs).flatMap(([language, path]) =>
    used.some((usedPath) => packLanguage(usedPath) === language) ? [path] : [],
  )
  return [...build.shell, ...build.rest, ...packs].filter((path) => !cached.includes(path))
}

/** The language of a pack's path: `/assets/zh-CN-BRP1IoT_.js` is `zh-CN`. The hash has eight characters. */
const packLanguage = (path: string): string | undefined => /^\/assets\/(.+)-[\w-]{8}\.js$/.exec(path)?.[1]

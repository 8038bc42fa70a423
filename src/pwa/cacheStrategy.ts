/** What one build of the client is made of, by address; the worker carries its own build's. */
export type BuildFiles = {
  /** Differs from build to build. */
  version: string
  /** The script that the page starts. */
  entry: string
  /** What the page needs to stand: the files it names and the entry's graph. Their names carry a hash. */
  shell: readonly string[]
  /** Every other hashed file but the language packs. */
  rest: readonly string[]
  /** The language packs, by language. */
  packs: Readonly<Record<string, string>>
  /** Files that keep their name from build to build. */
  plain: readonly string[]
}

/**
 * How a request is met. `network`: not touched at all. `page`: the venue's answer, the kept page where there is none.
 * `asset`: as kept, because its name says what is in it. `file`: live, and as kept where it does not come.
 */
export type CacheStrategy = 'network' | 'page' | 'asset' | 'file'

type PlannedRequest = Pick<Request, 'method' | 'mode' | 'url'>

/** What belongs to the venue: it is answered live or not at all, and never kept here. */
const venueOnly = /^\/(api|socket\.io|healthz|metrics)(\/|$)/

/** Decides over one request from its address alone. Whatever is not a file of this build goes to the network. */
export function strategyOf(request: PlannedRequest, origin: string, build: BuildFiles): CacheStrategy {
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
 * What to keep once the app stands idle: all of the build that is not kept yet, and of the packs those that this
 * device has used, `used` being addresses of any build.
 */
export function pathsToCache(
  build: BuildFiles,
  used: readonly string[],
  cached: readonly string[],
): string[] {
  const packs = Object.entries(build.packs).flatMap(([language, path]) =>
    used.some((address) => packLanguage(address) === language) ? [path] : [],
  )
  return [...build.shell, ...build.rest, ...packs].filter((path) => !cached.includes(path))
}

/** The language of a pack's address: `/assets/zh-CN-BRP1IoT_.js` is `zh-CN`. The hash has eight characters. */
const packLanguage = (path: string): string | undefined => /^\/assets\/(.+)-[\w-]{8}\.js$/.exec(path)?.[1]

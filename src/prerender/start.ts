/**
 * Runs before the first paint, without waiting for anything: sets the theme, so that a dark page never starts white,
 * shows what is prerendered for the page, if anything, and requests the app. src/theme.ts and src/i18n.ts
 * take over from here.
 */
import { requestEarly } from '../api/earlyAnswers.ts'
import { startLanguage } from '../chosenLanguage.ts'
import { isTabRoot, paths, welcomePaths } from '../paths.ts'
import { parseHash } from '../router/hashLocation.ts'
import { readJson } from '../state/storage.ts'
import type { StartFiles } from './startFiles.ts'

/** Defined by the build. */
declare const __START_FILES__: StartFiles
const startFiles = __START_FILES__

const root = document.documentElement

/** A field of a stored object; undefined if there is none. */
const storedField = (key: string, field: string): unknown =>
  (readJson(key) as Record<string, unknown> | null | undefined)?.[field]

function setTheme(): void {
  const theme = storedField('preferences', 'theme')
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset['theme'] = isDark ? 'dark' : 'light'
}

function startVisit(): void {
  const { path, search } = parseHash(location.hash)
  const token = storedField('session', 'token')
  const isMember = typeof token === 'string' && token !== ''
  const language = startLanguage()
  const page = isMember && welcomePaths.includes(path) ? paths.home : path
  const start = (): void => {
    if (isMember) requestEarly(token, firstAnswersOf(page, new URLSearchParams(search).get('id') ?? ''))
    void startApp(page, language)
  }
  // The venue does not know the language on the first visit after the member chose it without cookies.
  const prerendered = language === root.lang ? prerenderedOf(page, isMember) : 'none'
  root.dataset['start'] = prerendered
  if (page === paths.products) root.dataset['startGround'] = 'market'
  // The app's code is only loaded after the landing page is painted, so that it does not compete for the connection.
  if (prerendered !== 'landing' || document.hidden) start()
  else afterFirstPaint(start)
}

/** Unlike `afterPaint` without a limit: however late the style sheet comes, what runs then does not delay the first frame. */
const afterFirstPaint = (run: () => void): void => void requestAnimationFrame(() => setTimeout(run))

function prerenderedOf(path: string, isMember: boolean): 'landing' | 'tabs' | 'product' | 'none' {
  if (path === paths.product) return 'product'
  if (!isMember) return welcomePaths.includes(path) ? 'landing' : 'none'
  return isTabRoot(path) ? 'tabs' : 'none'
}

/** Resolves once the body is there: from a cache the app would run before it, and find no place to render. */
const documentParsed = (): Promise<unknown> =>
  document.readyState === 'loading'
    ? new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
    : Promise.resolve()

/** What the page shows first; a page that needs an id and has none shows nothing. */
function firstAnswersOf(path: string, id: string): string[] {
  const addresses = startFiles.answers[path] ?? []
  if (id === '' && addresses.some((address) => address.includes(':id'))) return []
  return addresses.map((address) => address.replace(':id', encodeURIComponent(id)))
}

/** Fetches everything that the page needs at once, not one file after the other, and runs the app. */
async function startApp(path: string, language: string): Promise<void> {
  const { entry, pages, packs } = startFiles
  const [app = ''] = entry
  for (const href of [...entry, ...(pages[path] ?? []), ...(packs[language] ?? [])])
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
    )
  afterFirstPaint(() => void loadLanguageData(language))
  await documentParsed()
  await import(/* @vite-ignore */ app).catch(showFailure)
}

/** A page's first Intl formatter takes as long as a frame, the others hardly any time: now nothing waits for it. */
const loadLanguageData = (language: string): string => new Intl.DateTimeFormat(language).format()

/** A file is missing or the connection has failed: the app's own texts could not be loaded either. */
function showFailure(): void {
  const notice = document.querySelector<HTMLElement>('#start-failed')
  if (notice === null) return
  notice.hidden = false
  // Its address is that of the front door: the page that was asked for stays.
  notice.querySelector('a')?.addEventListener('click', (event) => {
    event.preventDefault()
    location.reload()
  })
}

setTheme()
startVisit()

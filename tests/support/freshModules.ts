import { afterAll, expect, vi } from 'vitest'

/*
 * Test files share a thread, and in it the packages (React, Base UI, Fastify, PGlite), which take most of a file's time
 * to load. The server's files share its modules too, which keep no state outside a venue. Those of the client and of the
 * streams keep theirs for as long as a page is open, so they are evaluated again for each file. A file gets no globals,
 * timers, listeners or document of another.
 */
if (expect.getState().testPath?.includes('/tests/server/') !== true) vi.resetModules()

if ('happyDOM' in globalThis) {
  document.documentElement.replaceChildren(document.createElement('head'), document.createElement('body'))
  localStorage.clear()
  sessionStorage.clear()
  location.hash = ''
  removeListenersAfterFile()
}

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** What modules of a file listen to on the window: they would answer to the next file's events. */
function removeListenersAfterFile(): void {
  const { addEventListener } = globalThis
  const added: Parameters<typeof addEventListener>[] = []
  globalThis.addEventListener = (...listener: Parameters<typeof addEventListener>) => {
    added.push(listener)
    addEventListener(...listener)
  }
  afterAll(() => {
    for (const listener of added) removeEventListener(...listener)
    globalThis.addEventListener = addEventListener
  })
}

import { afterAll, vi } from 'vitest'

/*
 * Test files share a thread, and in it the packages (React, Base UI, Fastify, PGlite), which take most of a file's time
 * to load. Our own modules are evaluated again for each file, and a file gets no globals, timers or document of another.
 */
vi.resetModules()

if ('happyDOM' in globalThis) {
  document.documentElement.replaceChildren(document.createElement('head'), document.createElement('body'))
  localStorage.clear()
  sessionStorage.clear()
  location.hash = ''
}

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

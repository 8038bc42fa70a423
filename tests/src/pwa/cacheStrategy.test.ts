import { describe, expect, it } from 'vitest'
import { strategyOf, pathsToCache } from '../../../src/pwa/cacheStrategy.ts'

const origin = 'https://venue.test'
const build = {
  version: 'b1',
  entry: '/assets/main-AAAAAAAA.js',
  shell: ['/assets/main-AAAAAAAA.js', '/assets/style-BBBBBBBB.css'],
  rest: ['/assets/Orders-CCCCCCCC.js', '/assets/icons-DDDDDDDD.svg'],
  packs: { en: '/assets/en-EEEEEEEE.js', 'zh-CN': '/assets/zh-CN-B-_1IoT_.js' },
  plain: ['/icon.svg'],
}
const strategy = (path: string, init: { method?: string; mode?: RequestMode } = {}) =>
  strategyOf({ method: 'GET', mode: 'cors', url: new URL(path, origin).href, ...init }, origin, build)

describe('strategyOf', () => {
  it.each([
    '/api/orders',
    '/api/uploads/1',
    '/api',
    '/api/orders.csv?tab=records',
    '/socket.io/?EIO=4&transport=websocket',
    '/healthz',
    '/metrics',
    'https://img.test/photo.jpg',
    'https://other.test/assets/main-AAAAAAAA.js',
    '/openapi.json',
    '/sw.js',
    '/manifest.en.webmanifest',
    '/assets/main-ZZZZZZZZ.js',
    '/office/',
    '/office/assets/index-AAAAAAAA.js',
    '/desk/queues',
  ])('leaves %s to the network', (path) => {
    expect(strategy(path)).toBe('network')
    expect(strategy(path, { mode: 'navigate' })).toBe('network')
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])('leaves %s requests to the network', (method) => {
    for (const path of ['/', '/icon.svg', ...build.shell]) expect(strategy(path, { method })).toBe('network')
  })

  it('serves only the client’s own page from the cache', () => {
    expect(strategy('/', { mode: 'navigate' })).toBe('page')
    expect(strategy('/?utm=x#/pages/user/user', { mode: 'navigate' })).toBe('page')
    expect(strategy('/index.html', { mode: 'navigate' })).toBe('page')
    expect(strategy('/anything', { mode: 'navigate' })).toBe('network')
    expect(strategy('/apis', { mode: 'navigate' })).toBe('network')
  })

  it('leaves the app’s fetch of the page to the network, because it checks for an update', () => {
    expect(strategy('/')).toBe('network')
  })

  it.each([...build.shell, ...build.rest, ...Object.values(build.packs)])(
    'serves %s of this build from the cache',
    (path) => {
      expect(strategy(path)).toBe('asset')
    },
  )

  it.each(build.plain)('serves %s from the network, else from the cache', (path) =>
    expect(strategy(path)).toBe('file'),
  )
})

describe('pathsToCache', () => {
  it('returns all of the build except packs that this device never used', () => {
    expect(pathsToCache(build, ['/assets/en-EEEEEEEE.js', '/icon.svg'], [])).toEqual([
      ...build.shell,
      ...build.rest,
      '/assets/en-EEEEEEEE.js',
    ])
  })

  it('returns the new pack of a language used with an older build', () => {
    expect(pathsToCache(build, ['/assets/zh-CN-OLDHASH0.js'], [...build.shell, ...build.rest])).toEqual([
      '/assets/zh-CN-B-_1IoT_.js',
    ])
  })

  it('returns nothing that is already cached', () => {
    const all = [...build.shell, ...build.rest, ...Object.values(build.packs)]
    expect(pathsToCache(build, all, all)).toEqual([])
  })
})

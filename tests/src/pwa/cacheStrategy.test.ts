import { describe, expect, it } from 'vitest'
import { strategyOf, pathsToCache } from '../../../src/pwa/cacheStrategy.ts'

const origin = 'https://venue.test'
const build = {
  version: 'b1',
  entry: '/assets/index-AAAAAAAA.js',
  shell: ['/assets/index-AAAAAAAA.js', '/assets/index-BBBBBBBB.css'],
  rest: ['/assets/Orders-CCCCCCCC.js', '/assets/icons-DDDDDDDD.svg'],
  packs: { en: '/assets/en-EEEEEEEE.js', 'zh-CN': '/assets/zh-CN-B-_1IoT_.js' },
  plain: ['/icon.svg'],
}
const plan = (path: string, asked: { method?: string; mode?: RequestMode } = {}) =>
  strategyOf({ method: 'GET', mode: 'cors', url: new URL(path, origin).href, ...asked }, origin, build)

describe('what the worker does with a request', () => {
  it.each([
    '/api/orders',
    '/api/uploads/1',
    '/api',
    '/api/orders.csv?tab=records',
    '/socket.io/?EIO=4&transport=websocket',
    '/healthz',
    '/metrics',
    'https://img.test/photo.jpg',
    'https://other.test/assets/index-AAAAAAAA.js',
    '/openapi.json',
    '/sw.js',
    '/manifest.en.webmanifest',
    '/assets/index-ZZZZZZZZ.js',
  ])('%s is left to the network', (path) => {
    expect(plan(path)).toBe('network')
    expect(plan(path, { mode: 'navigate' })).toBe('network')
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])(
    '%s is left to the network, whatever it asks for',
    (method) => {
      for (const path of ['/', '/icon.svg', ...build.shell]) expect(plan(path, { method })).toBe('network')
    },
  )

  it('only the client’s own page can come from what is kept', () => {
    expect(plan('/', { mode: 'navigate' })).toBe('page')
    expect(plan('/?utm=x#/pages/user/user', { mode: 'navigate' })).toBe('page')
    expect(plan('/index.html', { mode: 'navigate' })).toBe('page')
    expect(plan('/anything', { mode: 'navigate' })).toBe('network')
    expect(plan('/apis', { mode: 'navigate' })).toBe('network')
  })

  it('the app’s own look at the page, which asks whether it was updated, is answered live', () => {
    expect(plan('/')).toBe('network')
  })

  it.each([...build.shell, ...build.rest, ...Object.values(build.packs)])(
    '%s is this build’s, as kept',
    (path) => {
      expect(plan(path)).toBe('asset')
    },
  )

  it.each(build.plain)('%s comes live where it can', (path) => expect(plan(path)).toBe('file'))
})

describe('what is kept once the app stands idle', () => {
  it('is all of the build but the packs that this device never used', () => {
    expect(pathsToCache(build, ['/assets/en-EEEEEEEE.js', '/icon.svg'], [])).toEqual([
      ...build.shell,
      ...build.rest,
      '/assets/en-EEEEEEEE.js',
    ])
  })

  it('takes the new pack of a language that an older build had', () => {
    expect(pathsToCache(build, ['/assets/zh-CN-OLDHASH0.js'], [...build.shell, ...build.rest])).toEqual([
      '/assets/zh-CN-B-_1IoT_.js',
    ])
  })

  it('is nothing twice', () => {
    const all = [...build.shell, ...build.rest, ...Object.values(build.packs)]
    expect(pathsToCache(build, all, all)).toEqual([])
  })
})

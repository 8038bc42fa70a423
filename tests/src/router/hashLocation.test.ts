// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hrefTo, navigate, parseHash, pathWith } from '../../../src/router/hashLocation.ts'

afterEach(() => history.replaceState(null, '', '#/'))

describe('parseHash', () => {
  it.each([
    ['', '/', ''],
    ['#', '/', ''],
    ['#/', '/', ''],
    ['#/pages/Detail/Detail?id=EURUSD', '/pages/Detail/Detail', 'id=EURUSD'],
    ['#pages/index/index', '/pages/index/index', ''],
    ['#/a?next=%2Fb%3Fc%3D1', '/a', 'next=%2Fb%3Fc%3D1'],
    ['#/a?x=1?y', '/a', 'x=1?y'],
    ['#/pages/user/user/', '/pages/user/user', ''],
    ['#/pages/Detail/Detail/?id=EURUSD', '/pages/Detail/Detail', 'id=EURUSD'],
  ])('%s', (hash, path, search) => {
    expect(parseHash(hash)).toEqual({ path, search })
  })
})

describe('hrefTo', () => {
  it('omits undefined values and escapes the rest', () => {
    expect(hrefTo('/p', { id: 'BTCUSDT-PERP', tab: undefined })).toBe('#/p?id=BTCUSDT-PERP')
    expect(hrefTo('/p')).toBe('#/p')
    expect(pathWith('/p', { next: '/q?r=1' })).toBe('/p?next=%2Fq%3Fr%3D1')
  })
})

describe('navigate', () => {
  it('adds or replaces a history entry, and dispatches hashchange', () => {
    const onHashChange = vi.fn()
    addEventListener('hashchange', onHashChange)
    const before = history.length
    navigate('/a?x=1')
    expect(location.hash).toBe('#/a?x=1')
    expect(history.length).toBe(before + 1)
    navigate('/b', { replace: true })
    expect(location.hash).toBe('#/b')
    expect(history.length).toBe(before + 1)
    expect(onHashChange).toHaveBeenCalledTimes(2)
    navigate('/b')
    expect(onHashChange).toHaveBeenCalledTimes(2)
    removeEventListener('hashchange', onHashChange)
  })
})

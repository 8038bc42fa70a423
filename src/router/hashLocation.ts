/**
 * The address of a page inside the hash: `#/pages/order/order?tab=closed` is the path `/pages/order/order`
 * and the search `tab=closed`. Used as wouter's `hook` and `searchHook`, because wouter does not split the hash.
 */
import { useSyncExternalStore } from 'react'
import { atPageEntry } from './sheetEntries.ts'

export type HashAddress = { path: string; search: string }
export type NavigateOptions = { replace?: boolean }

/** Splits a hash. A missing leading slash and one too many at the end are accepted, an empty hash is `/`. */
export function parseHash(hash: string): HashAddress {
  const text = hash.replace(/^#?\/?/, '')
  const mark = text.indexOf('?')
  const path = `/${(mark < 0 ? text : text.slice(0, mark)).replace(/\/+$/, '')}`
  return { path, search: mark < 0 ? '' : text.slice(mark + 1) }
}

/** The hash that leads to a path: `hrefTo('/pages/Detail/Detail', {id: 'EURUSD'})`. Undefined values are left out. */
export function hrefTo(path: string, query: Record<string, string | undefined> = {}): string {
  return `#${pathWith(path, query)}`
}

/** Like {@link hrefTo}, without the hash sign, for `navigate`. */
export function pathWith(path: string, query: Record<string, string | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, value)
  }
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * Navigates to a path inside the hash, with its search: at once, or when the entries of open sheets are left. Navigating to
 * the current address does nothing.
 */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  const hash = `#${to.startsWith('/') ? to : `/${to}`}`
  if (location.hash === hash) return
  atPageEntry(() => {
    if (replace) history.replaceState(history.state, '', hash)
    else history.pushState(null, '', hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  })
}

const watch = (onChange: () => void): (() => void) => {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}
const currentPath = (): string => parseHash(location.hash).path
const currentSearch = (): string => parseHash(location.hash).search

/** wouter's `hook`. */
export const useHashPath = (): [string, typeof navigate] => [
  useSyncExternalStore(watch, currentPath),
  navigate,
]

/** wouter's `searchHook`. */
export const useHashSearch = (): string => useSyncExternalStore(watch, currentSearch)

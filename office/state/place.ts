import { useEffect, useState } from 'react'
import { navigate } from '../../src/router/hashLocation.ts'
import { createEmitter } from '../../src/lib/emitter.ts'

/*
 * Back finds a screen as it was left: what was chosen in it is kept in its entry of the browser's history. Filters that others
 * may be sent a link to are in the address instead.
 */
type Place = {
  /** The filters of a queue. */
  chosen?: Record<string, unknown>
  /** The row that was opened. */
  row?: string
  /** The page began here, so that Back would leave the office. */
  isEntrance?: true
  /** A search led here. */
  bySearch?: true
}

export const placeNow = (): Place => (history.state as { place?: Place } | null)?.place ?? {}
export const keepPlace = (part: Place): void =>
  history.replaceState({ ...(history.state as object | null), place: { ...placeNow(), ...part } }, '')

/** Like `useState`, of texts; `id` changes with the address while the screen stays. */
export function useChosen<T extends Record<string, string>>(everything: T, id: string | null) {
  const [chosen, setChosen] = useState<T>(() => {
    const { chosen: kept = {} } = placeNow()
    const known = Object.entries(kept).filter(
      ([name, value]) => name in everything && typeof value === 'string',
    )
    return { ...everything, ...Object.fromEntries(known) }
  })
  // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies -- another address is another entry
  useEffect(() => keepPlace({ chosen }), [chosen, id])
  return [chosen, setChosen] as const
}

/** To where one came from, or to `home` if the page began here. */
export function goBack(home: string): void {
  const { bySearch, isEntrance } = placeNow()
  if (bySearch === true) addEventListener('hashchange', searchAgain.emit, { once: true })
  if (isEntrance === true) navigate(home)
  else history.back()
}

/** That a member's record is left for the search that led to it. */
export const searchAgain = createEmitter()
let last: { path: string; text: string; isUsed: boolean } | null = null

/** A hit of a search is opened. */
export const noteSearch = (path: string, text: string): void => void (last = { path, text, isUsed: false })
/** What was searched for last. */
export const lastSearch = (): string => last?.text ?? ''
export const forgetSearch = (): void => void (last = null)

/** Marks the entry of a record as that which a search led to, if one did. */
export function useSearchedPath(path: string): void {
  useEffect(() => {
    if (last === null || last.isUsed || last.path !== path) return
    last.isUsed = true
    keepPlace({ bySearch: true })
  }, [path])
}

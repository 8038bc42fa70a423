import type { ComponentType } from 'react'
import { lazyStreams } from '../start/lazyStreams.ts'
import { LoadError, createLazy, type Lazy } from '../start/lazy.ts'

export type PageComponent = ComponentType
export type LazyPage = Lazy<PageComponent>

/** A page whose code is loaded on the first visit: `lazyPage(() => import('./pages/x/X.tsx').then((m) => m.X))`. */
export const lazyPage = (load: () => Promise<PageComponent>): LazyPage =>
  createLazy(async () => {
    const [page, streams] = await Promise.all([load(), lazyStreams.get()])
    if (!streams.ok) throw new LoadError(streams.failure)
    return page
  })

/** A page that renders before the streams are loaded: for the first visit of the app. */
export const streamlessPage = (load: () => Promise<PageComponent>): LazyPage => createLazy(load)

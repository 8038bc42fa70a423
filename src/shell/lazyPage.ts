import type { ComponentType } from 'react'
import { streamsResource } from '../streamsResource.ts'
import { ResourceError, createResource } from '../resource/resource.ts'
import type { Resource } from '../resource/resource.ts'

export type PageComponent = ComponentType
export type LazyPage = Resource<PageComponent>

/** A page whose code is loaded on the first visit: `lazyPage(() => import('./pages/x/X.tsx').then((m) => m.X))`. */
export const lazyPage = (load: () => Promise<PageComponent>): LazyPage =>
  createResource(async () => {
    const [page, streams] = await Promise.all([load(), streamsResource.get()])
    if (!streams.ok) throw new ResourceError(streams.failure)
    return page
  })

/** A page that renders before the streams are loaded: for the first visit of the app. */
export const streamlessPage = (load: () => Promise<PageComponent>): LazyPage => createResource(load)

import type { ComponentType } from 'react'
import { createResource } from './resource.ts'
import type { Resource, ResourceOptions } from './resource.ts'

export type Page = ComponentType
export type LazyPage = Resource<Page>

/** A page whose code is fetched when it is first visited: `lazyPage(() => import('./pages/x/X.tsx').then((m) => m.X))`. */
export const lazyPage = (load: () => Promise<Page>, options?: ResourceOptions): LazyPage =>
  createResource(load, options)

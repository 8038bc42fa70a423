import { paths, welcomePaths } from '../contract/pagePaths.ts'

export { paths, welcomePaths }

/** The tabs' own pages, in their order. */
export const tabPaths = {
  home: paths.home,
  products: paths.products,
  fund: paths.fund,
  user: paths.user,
} as const
export type TabId = keyof typeof tabPaths

/** Whether the page shows the tab bar. */
export const isTabRoot = (path: string): boolean => Object.values<string>(tabPaths).includes(path)

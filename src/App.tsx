import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Router, useLocation, useSearch } from 'wouter'
import { StreamsProvider } from './hooks/useStreams.ts'
import { hrefTo, navigate, pathWith, useHashPath, useHashSearch } from './router/hashLocation.ts'
import { paths } from './paths.ts'
import { routeOf } from './routes.ts'
import type { PageRoute } from './routes.ts'
import { PageHost } from './shell/PageHost.tsx'
import { Shell } from './shell/Shell.tsx'
import { useArrived } from './shell/useArrived.ts'
import { useSession } from './state/session.ts'
import { streaming } from './streaming.ts'

const inHash = { hook: useHashPath, searchHook: useHashSearch, hrefs: hrefTo }

/** The whole app: the page of the address, with the shell around it. */
export function App() {
  return (
    <StreamsProvider value={useArrived(streaming) ?? null}>
      <Router {...inHash}>
        <Pages />
      </Router>
    </StreamsProvider>
  )
}

function Pages() {
  const { t } = useTranslation()
  const [path] = useLocation()
  const search = useSearch()
  const route = routeOf(path)
  const { token } = useSession()
  const elsewhere = detour(route, pathOf(path, search), token !== null, search)
  useEffect(() => {
    if (elsewhere !== undefined) navigate(elsewhere, { replace: true })
  }, [elsewhere])
  useEffect(() => {
    const name = t('common.appName')
    document.title = route.title === undefined ? name : `${t(`title.${route.title}`)} · ${name}`
  }, [route, t])
  if (elsewhere !== undefined) return null
  return (
    <Shell path={path} tab={route.tab} tabBar={route.root === true} bare={route.guest === true}>
      <PageHost name={path} page={route.page} ground={route.money ? 'money' : 'market'} />
    </Shell>
  )
}

const pathOf = (path: string, search: string): string => (search === '' ? path : `${path}?${search}`)

/** Where to send somebody who may not be here: guests to log in (and back afterwards), members on from login. */
function detour(route: PageRoute, here: string, member: boolean, search: string): string | undefined {
  if (route.member && !member) return pathWith(paths.login, { next: here })
  if (route.guest && member) return nextOf(search) ?? paths.home
  return undefined
}

/** Where the login page was asked to lead: a page of ours, or nowhere. */
function nextOf(search: string): string | undefined {
  const next = new URLSearchParams(search).get('next')
  if (next === null || !next.startsWith('/')) return undefined
  const route = routeOf(next.split('?')[0] ?? '')
  return route.guest || route.title === 'notFound' ? undefined : next
}

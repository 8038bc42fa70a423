import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { afterPaint } from './start/afterPaint.ts'
import { replayBuild } from '../contract/constants.ts'
import { Router, useLocation, useSearch } from 'wouter'
import { StreamsProvider, useStreamsIfReady } from './hooks/useStreams.ts'
import { createLazy } from './start/lazy.ts'
import { hrefTo, navigate, parseHash, useHashPath, useHashSearch } from './router/hashLocation.ts'
import { atPageEntry } from './router/sheetEntries.ts'
import { isTabRoot } from './paths.ts'
import { redirectOf } from './router/redirect.ts'
import { routeOf } from './routes.ts'
import { PageHost } from './shell/PageHost.tsx'
import { dismissToastsWithSession } from './shell/dismissToastsWithSession.ts'
import { Shell } from './shell/Shell.tsx'
import { useLazyValue } from './start/useLazyValue.ts'
import { isLoggedIn, useMemberChanges, useSession } from './state/session.ts'
import { lazyStreams } from './start/lazyStreams.ts'

/** Loaded once a member is logged in and the streams are loaded: they render nothing until an order is placed or ends, or a price is reached. */
const orderToasts = createLazy(() => import('./features/orders/OrderToasts.tsx'), { name: 'orderToasts' })
const reachedAlerts = createLazy(() => import('./features/alerts/PriceAlertToasts.tsx'), {
  name: 'reachedAlerts',
})

async function loadToasts(): Promise<void> {
  await afterPaint()
  await Promise.all([orderToasts.get(), reachedAlerts.get()])
}

/** Controls the recording that replaces the venue. Development builds only. */
const replayPanel = import.meta.env.DEV
  ? createLazy(() => import('./dev/DevReplay.tsx'), { name: 'replayPanel' })
  : undefined

const hashRouting = { hook: useHashPath, searchHook: useHashSearch, hrefs: hrefTo }

/** The whole app: the page of the current address inside the shell. */
export function App() {
  useEffect(dismissToastsWithSession, [])
  return (
    <StreamsProvider value={useLazyValue(lazyStreams) ?? null}>
      <Router {...hashRouting}>
        <Pages />
        {replayPanel && <DevTools panel={replayPanel} />}
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
  const memberChanges = useMemberChanges()
  const redirect = redirectOf({ path, search }, token !== null)
  useEffect(() => {
    if (redirect === undefined) return
    // A member who ended the session from a sheet may already be opening another page.
    atPageEntry(() => {
      const to = redirectOf(parseHash(location.hash), isLoggedIn())
      if (to !== undefined) navigate(to, { replace: true })
    })
  }, [redirect])
  useEffect(() => {
    const name = t('common.appName')
    document.title = route.title === undefined ? name : `${t(`title.${route.title}`)} · ${name}`
  }, [route, t])
  if (redirect !== undefined) return null
  // With another member every sheet closes and every field is empty.
  return (
    <Shell
      key={memberChanges}
      path={path}
      tab={route.tab}
      tabBar={isTabRoot(path)}
      bare={route.guestsOnly === true}
    >
      <PageHost
        name={path}
        page={route.page}
        ground={route.money ? 'money' : 'market'}
        PageSkeleton={route.skeleton}
      />
      <MemberToasts />
    </Shell>
  )
}

function MemberToasts() {
  const hasStreams = useStreamsIfReady() !== null
  const isMember = useSession().token !== null
  const isActive = hasStreams && isMember
  useEffect(() => {
    if (!isActive) return
    void loadToasts()
  }, [isActive])
  const orders = useLazyValue(orderToasts)
  const alerts = useLazyValue(reachedAlerts)
  if (!isActive) return null
  return (
    <>
      {orders && <orders.OrderToasts />}
      {alerts && <alerts.PriceAlertToasts />}
    </>
  )
}

function DevTools({ panel }: { panel: NonNullable<typeof replayPanel> }) {
  const isReplay = useSession().appInfo?.build === replayBuild
  useEffect(() => {
    if (isReplay) void panel.get()
  }, [isReplay, panel])
  const module = useLazyValue(panel)
  return isReplay && module ? <module.DevReplay /> : null
}

import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { afterPaint } from './afterPaint.ts'
import { replayBuild } from '../contract/constants.ts'
import { Router, useLocation, useSearch } from 'wouter'
import { StreamsProvider, useStreamsIfReady } from './hooks/useStreams.ts'
import { createLazy } from './lazy/lazy.ts'
import { hrefTo, navigate, useHashPath, useHashSearch } from './router/hashLocation.ts'
import { isTabRoot } from './paths.ts'
import { redirectOf } from './redirect.ts'
import { routeOf } from './routes.ts'
import { PageHost } from './shell/PageHost.tsx'
import { Shell } from './shell/Shell.tsx'
import { useLazyValue } from './lazy/useLazyValue.ts'
import { useSession } from './state/session.ts'
import { lazyStreams } from './lazyStreams.ts'
import { dismissToast } from './ui/toastStore.ts'

/** Loaded once a member is logged in and the streams are loaded: they render nothing until an order ends or a price is reached. */
const endedOrders = createLazy(() => import('./features/orders/EndedOrderToasts.tsx'), {
  name: 'endedOrders',
})
const reachedAlerts = createLazy(() => import('./features/alerts/PriceAlertToasts.tsx'), {
  name: 'reachedAlerts',
})

async function loadToasts(): Promise<void> {
  await afterPaint()
  await Promise.all([endedOrders.get(), reachedAlerts.get()])
}

/** Steers the recording that stands in for the venue; development builds only. */
const replayPanel = import.meta.env.DEV
  ? createLazy(() => import('./dev/DevReplay.tsx'), { name: 'replayPanel' })
  : undefined

const hashRouting = { hook: useHashPath, searchHook: useHashSearch, hrefs: hrefTo }

/** The whole app: the page of the current address inside the shell. */
export function App() {
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
  const redirect = redirectOf({ path, search }, token !== null)
  useEffect(() => {
    if (redirect !== undefined) navigate(redirect, { replace: true })
  }, [redirect])
  useEffect(() => {
    const name = t('common.appName')
    document.title = route.title === undefined ? name : `${t(`title.${route.title}`)} · ${name}`
  }, [route, t])
  if (redirect !== undefined) return null
  return (
    <Shell path={path} tab={route.tab} tabBar={isTabRoot(path)} bare={route.guestsOnly === true}>
      <PageHost name={path} page={route.page} ground={route.money ? 'money' : 'market'} Frame={route.frame} />
      <MemberToasts />
    </Shell>
  )
}

function MemberToasts() {
  const hasStreams = useStreamsIfReady() !== null
  const isMember = useSession().token !== null
  const isActive = hasStreams && isMember
  // What was said before the log-in, such as that the account is open, is done with.
  useEffect(() => {
    if (isMember) dismissToast()
  }, [isMember])
  useEffect(() => {
    if (!isActive) return
    void loadToasts()
  }, [isActive])
  const orders = useLazyValue(endedOrders)
  const alerts = useLazyValue(reachedAlerts)
  if (!isActive) return null
  return (
    <>
      {orders && <orders.EndedOrderToasts />}
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

import { Suspense, createElement, useEffect } from 'react'
import { staffSessionRoutes } from '../contract/office/staff.ts'
import { navigate, useHashPath, useHashSearch } from '../src/router/hashLocation.ts'
import { Spinner } from '../src/ui/Spinner.tsx'
import { call } from './api.ts'
import { useTexts } from './i18n.ts'
import { allNav } from './nav.ts'
import { Enrol } from './pages/login/Enrol.tsx'
import { LogIn } from './pages/login/LogIn.tsx'
import { SetUpFactor } from './pages/login/SetUpFactor.tsx'
import { useLeftClaim } from './pages/queues/useLeftClaim.ts'
import { screenOf } from './screens.ts'
import { setSession, useMay, useStaff } from './state/staff.ts'
import { Shell } from './shell/Shell.tsx'
import styles from './App.module.css'

const enrolPath = /^\/enrol\/(.+)$/

/** The login, or the screen of the current address inside the shell. */
export function App() {
  const [path] = useHashPath()
  const { session, isLoading } = useStaff()
  useEffect(() => {
    void call(staffSessionRoutes.show, {}).then((result) => setSession(result.ok ? result.value : null))
  }, [])
  const code = enrolPath.exec(path)?.[1]
  if (code !== undefined) return <Enrol key={code} code={decodeURIComponent(code)} />
  if (isLoading) return <Waiting />
  if (session === null) return <LogIn />
  if (session.needsSecondFactor) return <SetUpFactor />
  return (
    <Shell path={path}>
      <Suspense fallback={<Waiting />}>
        <CurrentScreen path={path} />
      </Suspense>
    </Shell>
  )
}

/** The screen of an address, or the first screen of the user's role if the address belongs to another role. */
export function CurrentScreen({ path }: { path: string }) {
  const t = useTexts()
  const may = useMay()
  const search = useHashSearch()
  useLeftClaim(path)
  const [, first = '', id] = path.split('/')
  const home = allNav.find(({ calls }) => calls.some(may))?.path ?? '/account'
  const entry = allNav.find((one) => one.path === `/${first}`)
  // Who works elsewhere may follow a link to one request, but has no list here.
  const isOthers = entry !== undefined && !entry.calls.some(may) && (entry.queue === undefined || !id)
  const leaves = first === '' || isOthers
  useEffect(() => {
    if (leaves) navigate(home, { replace: true })
  }, [leaves, home])
  const view = screenOf(first)
  if (leaves) return null
  if (view === undefined) return <p className={styles.missing}>{t('nav.missing')}</p>
  return createElement(view, {
    // All queues are one component: what is chosen, filtered and decided in one says nothing of another.
    key: first,
    name: first,
    id: id === undefined ? null : decodeURIComponent(id),
    query: new URLSearchParams(search),
  })
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Spinner />
    </div>
  )
}

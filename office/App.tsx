import { Suspense, createElement, useEffect } from 'react'
import { staffSessionRoutes } from '../contract/backOffice/staff.ts'
import { navigate, useHashPath, useHashSearch } from '../src/router/hashLocation.ts'
import { Spinner } from '../src/ui/Spinner.tsx'
import { call } from './api.ts'
import { useTexts } from './i18n.ts'
import { allNav } from './nav.ts'
import { Enrol } from './pages/login/Enrol.tsx'
import { LogIn } from './pages/login/LogIn.tsx'
import { SetUpFactor } from './pages/login/SetUpFactor.tsx'
import { screenOf } from './screens.ts'
import { setSession, useMay, useStaff } from './state/staff.ts'
import { Shell } from './shell/Shell.tsx'
import styles from './App.module.css'

const enrolPath = /^\/enrol\/(.+)$/

/** The log-in, or the screen of the current address inside the shell. */
export function App() {
  const [path] = useHashPath()
  const { session, isLoading } = useStaff()
  useEffect(() => {
    void call(staffSessionRoutes.show, {}).then((result) => setSession(result.ok ? result.value : null))
  }, [])
  const code = enrolPath.exec(path)?.[1]
  if (code !== undefined) return <Enrol code={decodeURIComponent(code)} />
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

function CurrentScreen({ path }: { path: string }) {
  const t = useTexts()
  const may = useMay()
  const search = useHashSearch()
  const [, first = '', id] = path.split('/')
  const home = allNav.find(({ calls }) => calls.some(may))?.path ?? '/account'
  useEffect(() => {
    if (first === '') navigate(home, { replace: true })
  }, [first, home])
  const view = screenOf(first)
  if (first === '') return null
  if (view === undefined) return <p className={styles.missing}>{t('nav.missing')}</p>
  return createElement(view, {
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

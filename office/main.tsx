import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import i18next from 'i18next'
import { followLateValues } from '../src/ui/lateValues.ts'
import { App } from './App.tsx'
import { queryClient } from './data/queryClient.ts'
import { currentLanguage, startI18n } from './i18n.ts'
import { persistPreferences } from './preferences.ts'
import { followTheme } from './theme.ts'
import { watchAttention } from './state/attention.ts'
import { keepPlace } from './state/place.ts'
import './office.css'

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('the page has no #root')
  persistPreferences()
  keepPlace({ isEntrance: true })
  followLateValues()
  watchAttention()
  await startI18n()
  i18next.on('languageChanged', followTheme(currentLanguage))
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
}

void start()

import { createReplayControl } from './replayControl.ts'
import { ReplayPanel } from './ReplayPanel.tsx'

const control = createReplayControl()

/** The panel for the replay behind this page. */
export const DevReplay = () => <ReplayPanel control={control} />

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Boot } from './shell/boot'
import { showTheme } from './shell/theme'
import './styles.css'

showTheme('system')
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <Boot />
  </StrictMode>,
)

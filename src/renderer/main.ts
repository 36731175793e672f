/// <reference types="vite/client" />
import { mount } from 'svelte'
import App from './app/App.svelte'
import { bridge } from './bridge.ts'
import { refuseDrops } from './ui/file-drop.ts'
import './tokens.css'
import './base.css'
import './ui/input.css'

const target = document.getElementById('app')
if (!target) throw new Error('index.html has no #app')
refuseDrops(window)
// The page's address contains the current screen, which a reloaded page shows first.
mount(App, {
  target,
  props: {
    bridge: bridge(),
    place: location.hash.slice(1),
    onmove: (screen: string) => history.replaceState(null, '', `#${screen}`),
  },
})

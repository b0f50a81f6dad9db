import { Board } from '../board/Board';
import { ModShell } from './ModShell';
import { screen } from './screen';

// Moderators open the board first, so its code is in the entry chunk; other screens
// are loaded when their address is opened.
export { Board, ModShell };
export const ReportPage = screen(() => import('../report/ReportPage').then((m) => m.ReportPage));
export const Dashboard = screen(() => import('../dashboard/Dashboard').then((m) => m.Dashboard));

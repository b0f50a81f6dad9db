<<<<<<<< HEAD:http/modcp/dist/assets/index-KC0OssOG.js
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{St as t,bt as n,xt as r}from"./panel-aHgJp2jo.js";import{g as i,m as a,p as o}from"./react-aA-nrcf5.js";var s=e(i(),1),c=a(),l=o(),u=n(),d=await r(u,location.pathname,location.search);(0,c.createRoot)(document.getElementById(`root`)).render((0,l.jsx)(s.StrictMode,{children:(0,l.jsx)(t,{client:u,language:d})}));
========
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{bt as t,vt as n,yt as r}from"./panel-D3uoHgUo.js";import{g as i,m as a,p as o}from"./react-aA-nrcf5.js";var s=e(i(),1),c=a(),l=o(),u=n(),d=await r(u,location.pathname,location.search);(0,c.createRoot)(document.getElementById(`root`)).render((0,l.jsx)(s.StrictMode,{children:(0,l.jsx)(t,{client:u,language:d})}));
>>>>>>>> b76dc4b (Moderate the comments of WordPress):http/modcp/dist/assets/index-Dqz9vQ85.js

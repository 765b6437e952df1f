@echo off
rem Loam's commands, run by the program that was installed: loam --help
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Loam.exe" "%~dp0..\app.asar.unpacked\out\main\cli\index.js" %*

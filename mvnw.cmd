@echo off
rem The same as mvnw, for Windows: runs the pinned Maven, downloaded once and checked by its SHA-512;
rem where it cannot be had, a mvn on the PATH takes its place, and one line says so.
setlocal enabledelayedexpansion
set "ROOT=%~dp0"
for /f "usebackq tokens=1,2 delims==" %%a in ("%ROOT%.mvn\wrapper\maven-wrapper.properties") do (
    if "%%a"=="distributionVersion" set "VERSION=%%b"
    if "%%a"=="distributionSha512" set "CHECKSUM=%%b"
)
if "%MAVEN_USER_HOME%"=="" set "MAVEN_USER_HOME=%USERPROFILE%\.m2"
set "DISTS=%MAVEN_USER_HOME%\wrapper\dists"
set "MAVEN=%DISTS%\apache-maven-%VERSION%\bin\mvn.cmd"
if exist "%MAVEN%" goto run

set "URL=%MVNW_DIST_URL%"
if "%URL%"=="" set "URL=https://archive.apache.org/dist/maven/maven-3/%VERSION%/binaries/apache-maven-%VERSION%-bin.tar.gz"
if not exist "%DISTS%" mkdir "%DISTS%"
set "FILE=%DISTS%\incoming-%RANDOM%.tar.gz"
powershell -NoProfile -Command "$ProgressPreference='SilentlyContinue'; try { Invoke-WebRequest -UseBasicParsing -TimeoutSec 600 -Uri '%URL%' -OutFile '%FILE%' } catch { exit 1 }; if ((Get-FileHash -Algorithm SHA512 '%FILE%').Hash -ne '%CHECKSUM%') { exit 2 }"
if errorlevel 2 (
    echo mvnw: %URL% has another SHA-512 than %CHECKSUM%; not using it 1>&2
    del "%FILE%"
    exit /b 1
)
if errorlevel 1 goto fallback
tar -xzf "%FILE%" -C "%DISTS%"
del "%FILE%"
if exist "%MAVEN%" goto run

:fallback
where mvn >nul 2>nul
if errorlevel 1 (
    echo mvnw: cannot get Maven %VERSION% and there is no mvn on the PATH: install Maven, or set MVNW_DIST_URL 1>&2
    exit /b 1
)
echo mvnw: cannot get Maven %VERSION%; using the mvn on the PATH 1>&2
set "MAVEN=mvn"

:run
call "%MAVEN%" %*
exit /b %ERRORLEVEL%
